// The active API keys: what each may do, until when, and when it was made and used.
import { KeyRound } from 'lucide-react';
import type { ApiKey } from '#core/contract/index.ts';
import { prefixOf } from '../../../lib/api-keys.ts';
import { fullTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { scopesText } from '../model/key-options.ts';

interface KeyListProps {
  keys: readonly ApiKey[] | null;
  failed: boolean;
  onRetry: () => void;
  onRevoke: (key: ApiKey) => void;
}

export function KeyList({ keys, failed, onRetry, onRevoke }: KeyListProps) {
  if (keys === null)
    return failed ? (
      <Button className="self-start" onClick={onRetry}>
        Try again
      </Button>
    ) : (
      <Spinner label="Loading API keys" />
    );
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
            <Code className="text-13 text-ink-2">{prefixOf(key)}</Code>
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
            <span className="text-ink-2">{scopesText(key.scopes)}</span>
            <span>{key.expires_at === null ? 'Does not expire' : `Expires ${fullTime(key.expires_at)}`}</span>
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
