// API keys: created with scopes and an end, shown in full once, revoked. Only a token session can manage
// them.
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ApiKey } from '#core/contract/index.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { useApiKeys, type NewKey } from '../../../lib/api-keys.ts';
import { isUnanswered } from '../../../lib/create-once.ts';
import { usePublicConfig } from '../../../lib/public-config.ts';
import { serverText } from '../../../lib/session/auth-calls.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Banner } from '../../../ui/banner.tsx';
import { ConfirmItem } from '../../../ui/confirm.tsx';
import { NameForm } from '../../../ui/name-form.tsx';
import { Card } from '../../../ui/card.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { DEFAULT_OPTIONS, expiryOf, optionsProblem, type KeyOptions } from '../model/key-options.ts';
import { KeyList } from './key-list.tsx';
import { KeyOptionsFields } from './key-options.tsx';

const REFETCH_AFTER_REVOKE_MS = 500;

export function ApiKeysCard() {
  const { method } = useSession();
  if (method === 'jwt') return <KeyManager />;
  return method === 'none' ? null : <KeySession />;
}

function KeySession() {
  const isGoogleOff = usePublicConfig()?.signIn.google === false;
  return (
    <Card title="Authenticated via API Key">
      <p className="text-14 text-ink-2">
        API keys can only be managed after signing in with Google OAuth
        {isGoogleOff
          ? ', which is off on this server, or with a sign-in link from its operator. Sign out, then open such a link.'
          : '. Sign out, then sign in with Google.'}
      </p>
    </Card>
  );
}

/** What failed, and the server's reason where it gave one. */
interface Failure {
  message: string;
  reason: string;
}

const failureOf =
  (message: string) =>
  (error: unknown): Failure => ({ message, reason: serverText(error) });

const LOST =
  'No answer came, so it may be in the list without anybody having it. Create it again: the new one takes its place.';

function createFailure(error: unknown): Failure {
  if (error instanceof ApiError && error.code === 'NO_KEY')
    return { message: 'API key created but key value not returned', reason: '' };
  const failure = failureOf('Failed to create API key')(error);
  return isUnanswered(error) && failure.reason === '' ? { ...failure, reason: LOST } : failure;
}

/** The choices for the next key. */
function useKeyOptions() {
  const [options, setOptions] = useState(DEFAULT_OPTIONS);
  const [missing, setMissing] = useState<string | null>(null);
  return {
    options,
    missing,
    change: (next: KeyOptions): void => {
      setOptions(next);
      setMissing(null);
    },
    reset: () => setOptions(DEFAULT_OPTIONS),
    /** What the key is to be; null, after saying so, while something is missing. */
    check(): NewKey | null {
      const now = Date.now();
      const lacking = optionsProblem(options, now);
      setMissing(lacking);
      return lacking === null ? { scopes: options.scopes, expiresAt: expiryOf(options, now) ?? null } : null;
    },
  };
}

function KeyManager() {
  const { keys, error, refetch, create, revoke } = useApiKeys();
  const { busy, problem, setProblem, run } = useAction<Failure>();
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [dismissed, setDismissed] = useState<unknown>(null);
  const newKey = useKeyOptions();
  const shown =
    problem ?? (error === null || error === dismissed ? null : failureOf('Failed to fetch API keys')(error));

  async function submit(name: string): Promise<boolean> {
    const wanted = newKey.check();
    if (wanted === null) return false;
    const isMade = await run(
      async () => setMade({ name, key: (await create(name, wanted)).key }),
      createFailure,
    );
    if (isMade) newKey.reset();
    return isMade;
  }

  async function confirmRevoke({ id }: ApiKey) {
    const isRevoked = await run(() => revoke(id), failureOf('Failed to revoke API key. Please try again.'));
    if (isRevoked) setTimeout(refetch, REFETCH_AFTER_REVOKE_MS);
    setRevoking(null);
  }

  return (
    <Card
      title="API Keys"
      description={
        <>
          What programs sign in with, in the header x-api-key. A sender such as GitHub or a mailbox needs
          none: make it an{' '}
          <Link
            href="/admin/intakes"
            className="text-ink-1 underline decoration-line-2 underline-offset-3 hover:decoration-accent"
          >
            intake
          </Link>
          .
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {shown === null ? null : (
          <Banner
            tone="danger"
            title={shown.message}
            onDismiss={() => {
              setProblem(null);
              setDismissed(error);
            }}
          >
            {shown.reason}
          </Banner>
        )}
        <NameForm
          label="Name of a new key"
          placeholder="For example: backup"
          busy={busy}
          kind="primary"
          required="Please enter a name for the API key"
          onSubmit={submit}
          more={
            <KeyOptionsFields options={newKey.options} problem={newKey.missing} onChange={newKey.change} />
          }
        >
          <Plus size={17} aria-hidden />
          Create
        </NameForm>
        {made === null ? null : (
          <ShownOnce
            label="New API key"
            text={made.key}
            copyLabel="Copy API key"
            done="I have stored it"
            onDone={() => setMade(null)}
          >
            <span className="font-semibold">{made.name}</span>: copy the key now. It is not shown again.
          </ShownOnce>
        )}
        <KeyList keys={keys} failed={error !== null} onRetry={refetch} onRevoke={setRevoking} />
      </div>
      <ConfirmItem
        item={revoking}
        title={({ name }) => `Revoke ${name}`}
        question={() => 'Are you sure you want to revoke this API key? This cannot be undone.'}
        action="Revoke"
        busy={busy}
        onCancel={() => setRevoking(null)}
        onConfirm={(key) => void confirmRevoke(key)}
      />
    </Card>
  );
}
