// API keys: created, shown in full once, revoked. Only a token session can manage them.
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '#core/contract/index.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { prefixOf, useApiKeys } from '../../../lib/api-keys.ts';
import { serverText } from '../../../lib/session/auth-calls.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { fullTime } from '../../../lib/time.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmItem } from '../../../ui/confirm.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { NameForm } from '../../../ui/name-form.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { Card } from '../../../ui/card.tsx';

const REFETCH_AFTER_REVOKE_MS = 500;

export function ApiKeysCard() {
  const { method } = useSession();
  if (method === 'jwt') return <KeyManager />;
  if (method === 'none') return null;
  return (
    <Card title="Authenticated via API Key">
      <p className="text-14 text-ink-2">
        API keys can only be managed after signing in with Google OAuth. Sign out, then sign in with Google.
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

function KeyManager() {
  const { keys, error, refetch, create, revoke } = useApiKeys();
  const { busy, problem, setProblem, run } = useAction<Failure>();
  const [made, setMade] = useState<{ name: string; key: string } | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [dismissed, setDismissed] = useState<unknown>(null);
  const shown =
    problem ?? (error === null || error === dismissed ? null : failureOf('Failed to fetch API keys')(error));

  const submit = (name: string) =>
    run(
      async () => setMade({ name, key: (await create(name)).key }),
      (failure) =>
        failure instanceof ApiError && failure.code === 'NO_KEY'
          ? { message: 'API key created but key value not returned', reason: '' }
          : failureOf('Failed to create API key')(failure),
    );

  async function confirmRevoke({ id }: ApiKey) {
    const isRevoked = await run(() => revoke(id), failureOf('Failed to revoke API key. Please try again.'));
    if (isRevoked) setTimeout(refetch, REFETCH_AFTER_REVOKE_MS);
    setRevoking(null);
  }

  return (
    <Card title="API Keys" description="What programs sign in with, in the header x-api-key.">
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
          placeholder="For example: nightly backup"
          busy={busy}
          kind="primary"
          required="Please enter a name for the API key"
          onSubmit={submit}
        >
          <Plus size={17} aria-hidden />
          Create
        </NameForm>
        {made === null ? null : (
          <section aria-label="New API key" className="rounded-md border border-accent/40 bg-accent-soft p-4">
            <p className="mb-2.5 text-14">
              <span className="font-semibold">{made.name}</span>: copy the key now. It is not shown again.
            </p>
            <Copyable text={made.key} label="Copy API key" />
            <Button kind="quiet" className="mt-2 -ml-2" onClick={() => setMade(null)}>
              I have stored it
            </Button>
          </section>
        )}
        <KeyList keys={keys} failed={error !== null} onRevoke={setRevoking} />
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

interface KeyListProps {
  keys: readonly ApiKey[] | null;
  failed: boolean;
  onRevoke: (key: ApiKey) => void;
}

function KeyList({ keys, failed, onRevoke }: KeyListProps) {
  if (keys === null) return failed ? null : <Spinner label="Loading API keys" />;
  if (keys.length === 0) return <p className="text-14 text-ink-2">No active keys yet.</p>;
  return (
    <ul aria-label="Active API keys" className="divide-y divide-line-1 border-t border-line-1">
      {keys.map((key) => (
        <li
          key={key.id}
          className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1 py-3 last:pb-0 sm:grid-cols-[auto_1fr_auto]"
        >
          <KeyRound size={17} aria-hidden className="self-start text-ink-3 max-sm:hidden sm:mt-0.5" />
          <p className="flex min-w-0 flex-wrap items-baseline gap-x-3 text-14">
            <span className="font-medium wrap-anywhere">{key.name}</span>
            <code className="font-mono text-13 text-ink-2">{prefixOf(key)}</code>
          </p>
          <Button
            kind="danger"
            className="sm:row-span-2"
            aria-label={`Revoke ${key.name}`}
            onClick={() => onRevoke(key)}
          >
            Revoke
          </Button>
          <p className="flex flex-wrap gap-x-3 text-13 text-ink-3 max-sm:col-span-2 sm:col-start-2">
            <span>Created {fullTime(key.created_at)}</span>
            <span>
              {key.last_used_at === null ? 'Never used' : `Last used ${fullTime(key.last_used_at)}`}
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
