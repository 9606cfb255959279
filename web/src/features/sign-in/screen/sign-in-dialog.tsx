// The ways in: Google where it is set up, then e-mail (coming soon) or an API key.
import { Tabs } from '@base-ui/react/tabs';
import { useRef, useState, type RefObject } from 'react';
import { useLocation } from 'wouter';
import type { PublicConfig } from '#core/contract/index.ts';
import { ApiError, problemOf, problemWith, type Problem } from '../../../lib/api/api-error.ts';
import { usePublicConfig } from '../../../lib/public-config.ts';
import { signInWithApiKey, signInWithGoogle } from '../../../lib/session/actions.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { entryLeft } from '../../../ui/close-by-back.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import type { Credential } from '../data/google-identity.ts';
import { Attempts } from '../model/attempt-throttle.ts';
import { EmailForm } from '../parts/email-form.tsx';
import { GoogleSignIn } from '../parts/google-sign-in.tsx';

const TAB =
  'flex h-9 touch:h-11 flex-1 items-center justify-center rounded-sm text-14 text-ink-2 transition-colors hover:text-ink-1 data-active:bg-raised data-active:font-medium data-active:text-ink-1 data-active:shadow-1 data-active:ring-1 data-active:ring-line-1';

// Of the page, not of the dialog: opening it again does not reset the throttle.
const googleAttempts = new Attempts();

export default function SignInDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const keyField = useRef<HTMLInputElement>(null);
  const { key, setKey, busy, problem, setProblem, close, attempt, submitKey, onCredential } = useSignIn(
    onClose,
    keyField,
  );
  // Controlled: tabs that are disabled for a moment lose their own choice.
  const [tab, setTab] = useState<'email' | 'key'>('key');
  const config = usePublicConfig(open);
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Sign In to Qinbox"
      busy={busy}
      // Who is signed in goes on to the inbox.
      closesByBack={!busy}
      initialFocus={keyField}
    >
      <div className="flex flex-col gap-4">
        <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
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
              <EmailComingSoon isGoogleOff={lacksGoogle(config)} />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="key">
            <Form className="flex flex-col gap-4" onSubmit={() => void submitKey()}>
              <TextField
                label="API Key"
                hint={keyHint(config)}
                ref={keyField}
                type="text"
                spellCheck={false}
                placeholder="qi_…"
                value={key}
                disabled={busy}
                onChange={setKey}
                className="h-10 font-mono [-webkit-text-security:disc] placeholder-shown:[-webkit-text-security:none] placeholder:overflow-visible"
              />
              <Button
                type="submit"
                kind="primary"
                disabled={busy}
                className="h-10 max-[18rem]:h-auto max-[18rem]:whitespace-normal"
              >
                {busy ? 'Signing in…' : 'Authenticate with API Key'}
              </Button>
            </Form>
          </Tabs.Panel>
        </Tabs.Root>
        <Button kind="quiet" onClick={close} disabled={busy}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}

/** The three ways to sign in. Each closes the dialog, or shows in it what went wrong. */
function useSignIn(onClose: () => void, keyField: RefObject<HTMLInputElement | null>) {
  const [, navigate] = useLocation();
  const [key, setKey] = useState('');
  const { busy, problem, setProblem, run } = useAction();

  function close() {
    setKey('');
    setProblem(null);
    onClose();
  }

  async function attempt(work: () => Promise<void>, explain: string | ((error: unknown) => Problem)) {
    const isSignedIn = await run(work, typeof explain === 'string' ? problemWith(explain) : explain);
    if (isSignedIn) close();
    return isSignedIn;
  }

  async function submitKey() {
    const trimmed = key.trim();
    if (trimmed === '') {
      setProblem({ message: 'API Key is required' });
      keyField.current?.focus();
    } else if (await attempt(() => signInWithApiKey(trimmed), keyProblem)) {
      await entryLeft();
      // The landing page leads there by itself.
      if (location.pathname !== '/inbox') navigate('/inbox');
    }
  }

  function onCredential(credential: Credential | undefined) {
    void googleAttempts.attempt(async () => {
      if (credential === undefined) setProblem({ message: 'Google sign-in failed. Please try again.' });
      else if (await attempt(() => signInWithGoogle(credential), googleProblem)) location.assign('/inbox');
    });
  }

  return { key, setKey, busy, problem, setProblem, close, attempt, submitKey, onCredential };
}

function keyProblem(error: unknown): Problem {
  return error instanceof ApiError && error.status === 401
    ? {
        message: 'Authentication failed. This API key is not known here: check it for typing errors.',
        code: error.code,
      }
    : problemOf(error, 'Authentication failed');
}

function googleProblem(error: unknown): Problem {
  const isAnswered = error instanceof ApiError && error.status > 0;
  return problemOf(error, isAnswered ? 'Authentication failed' : 'Failed to sign in with Google');
}

function lacksGoogle(config: PublicConfig | null): boolean {
  return config?.signIn.google === false;
}

// The ways that are on, so that nobody is sent to one that is off.
function keyHint(config: PublicConfig | null): string {
  const first = !lacksGoogle(config)
    ? 'Sign in with Google or e-mail first'
    : config?.signIn.email === true
      ? 'Sign in with a link or by e-mail first'
      : 'Sign in with a link first';
  return `No key yet? ${first} and generate a key from your profile settings.`;
}

function EmailComingSoon({ isGoogleOff }: { isGoogleOff: boolean }) {
  return (
    <div className="rounded-md border border-dashed border-line-2 px-5 py-6 text-center">
      <p className="text-16 font-medium">Email Sign In Coming Soon</p>
      <p className="mx-auto mt-1 max-w-[24rem] text-14 text-ink-2">
        We're working on email authentication. Please use Google Sign In or API Key for now.
      </p>
      {isGoogleOff ? (
        <p className="mx-auto mt-2 max-w-[24rem] text-13 text-ink-3">
          Google Sign-In is off on this server: use a link or an API key.
        </p>
      ) : null}
    </div>
  );
}
