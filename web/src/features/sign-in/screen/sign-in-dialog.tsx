// The ways in: Google where it is set up, then e-mail (coming soon) or an API key.
import { Tabs } from '@base-ui/react/tabs';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { usePublicConfig } from '../../../lib/public-config.ts';
import { signInWithApiKey, signInWithGoogle } from '../../../lib/session/actions.ts';
import { Banner, ProblemText } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, INPUT } from '../../../ui/field.tsx';
import { Attempts } from '../model/attempts.ts';
import { EmailForm } from '../parts/email-form.tsx';
import { GoogleSignIn } from '../parts/google-sign-in.tsx';

const TAB =
  'flex h-9 flex-1 items-center justify-center rounded-sm text-14 text-ink-2 transition-colors hover:text-ink-1 data-active:bg-surface-1 data-active:font-medium data-active:text-ink-1 data-active:shadow-1 data-active:ring-1 data-active:ring-line-1';

// Of the page, not of the dialog: closing it and opening it again does not make an attempt a first one.
const googleAttempts = new Attempts();

interface SignInDialogProps {
  open: boolean;
  onClose: () => void;
}

export default function SignInDialog({ open, onClose }: SignInDialogProps) {
  const [, navigate] = useLocation();
  const [key, setKey] = useState('');
  // Held here: left to themselves, tabs that are locked for a moment forget which one was chosen.
  const [tab, setTab] = useState<'email' | 'key'>('key');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const keyField = useRef<HTMLInputElement>(null);
  const config = usePublicConfig(open);

  function close() {
    setKey('');
    setProblem(null);
    onClose();
  }

  async function submit() {
    const trimmed = key.trim();
    if (trimmed === '') {
      setProblem({ message: 'API Key is required' });
      keyField.current?.focus();
      return;
    }
    setBusy(true);
    setProblem(null);
    try {
      await signInWithApiKey(trimmed);
      close();
      navigate('/inbox');
    } catch (error) {
      setProblem(
        error instanceof ApiError && error.status === 401
          ? {
              message: 'Authentication failed. This API key is not known here: check it for typing errors.',
              code: error.code,
            }
          : problemOf(error, 'Authentication failed'),
      );
    } finally {
      setBusy(false);
    }
  }

  // Says in the dialog what went wrong; answers whether it went well.
  async function attempt(work: () => Promise<void>, fallback: string): Promise<boolean> {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      close();
      return true;
    } catch (error) {
      setProblem(problemOf(error, fallback));
      return false;
    } finally {
      setBusy(false);
    }
  }

  async function exchange(credential: string) {
    setBusy(true);
    setProblem(null);
    try {
      await signInWithGoogle(credential);
      close();
      location.assign('/inbox');
    } catch (error) {
      const answered = error instanceof ApiError && error.status > 0;
      setProblem(problemOf(error, answered ? 'Authentication failed' : 'Failed to sign in with Google'));
    } finally {
      setBusy(false);
    }
  }

  function onCredential(credential: string | undefined) {
    void googleAttempts.attempt(async () => {
      if (credential !== undefined && credential !== '') await exchange(credential);
      else setProblem({ message: 'Google sign-in failed. Please try again.' });
    });
  }

  return (
    <Dialog open={open} onClose={close} title="Sign In to Qinbox" busy={busy} initialFocus={keyField}>
      <div className="flex flex-col gap-4">
        {problem === null ? null : (
          <Banner tone="danger" onDismiss={() => setProblem(null)}>
            <ProblemText {...problem} />
          </Banner>
        )}
        <GoogleSignIn
          config={config}
          disabled={busy}
          onCredential={onCredential}
          onUnavailable={() => setProblem({ message: 'Failed to sign in with Google' })}
        />
        <div className="flex items-center gap-3 text-13 text-ink-3">
          <span className="h-px flex-1 bg-line-1" aria-hidden />
          Or continue with
          <span className="h-px flex-1 bg-line-1" aria-hidden />
        </div>
        <Tabs.Root value={tab} onValueChange={setTab}>
          <Tabs.List aria-label="Ways to sign in" className="mb-4 flex gap-1 rounded-md bg-surface-2 p-1">
            <Tabs.Tab value="email" className={TAB} disabled={busy}>
              Email
            </Tabs.Tab>
            <Tabs.Tab value="key" className={TAB} disabled={busy}>
              API Key
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="email">
            {config?.signIn.email === true ? (
              <EmailForm busy={busy} onProblem={setProblem} attempt={attempt} />
            ) : (
              <EmailComingSoon />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="key">
            <form
              className="flex flex-col gap-4"
              onSubmit={(event) => {
                event.preventDefault();
                void submit();
              }}
            >
              <Field
                label="API Key"
                hint="No key yet? Sign in with Google or e-mail first and generate a key from your profile settings."
              >
                {(control) => (
                  <input
                    {...control}
                    ref={keyField}
                    type="text"
                    autoComplete="off"
                    spellCheck={false}
                    placeholder="qi_…"
                    value={key}
                    disabled={busy}
                    onChange={(event) => setKey(event.target.value)}
                    className={`${INPUT} h-10 font-mono [-webkit-text-security:disc] placeholder-shown:[-webkit-text-security:none]`}
                  />
                )}
              </Field>
              <Button type="submit" kind="primary" disabled={busy} className="h-10">
                {busy ? 'Signing in…' : 'Authenticate with API Key'}
              </Button>
            </form>
          </Tabs.Panel>
        </Tabs.Root>
        <Button kind="quiet" onClick={close} disabled={busy}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}

function EmailComingSoon() {
  return (
    <div className="rounded-md border border-dashed border-line-2 px-5 py-6 text-center">
      <p className="text-16 font-medium">Email Sign In Coming Soon</p>
      <p className="mx-auto mt-1 max-w-[24rem] text-14 text-ink-2">
        We're working on email authentication. Please use Google Sign In or API Key for now.
      </p>
    </div>
  );
}
