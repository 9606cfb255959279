// The API keys of the profile: generated, revealed if this page has made them, deleted. Failures are only
// logged.
import { Eye, EyeOff, Plus, Trash2 } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { ApiKey } from '#core/contract/index.ts';
import { knownKey, maskOf, useApiKeys } from '../../../lib/api-keys.ts';
import { maskKey } from '../../../lib/key-mask.ts';
import { logFailure } from '../../../lib/log.ts';
import { fullTime } from '../../../lib/time.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { ConfirmItem } from '../../../ui/confirm.tsx';
import { NameForm } from '../../../ui/name-form.tsx';
import { IconButton } from '../../../ui/hints.tsx';

export function ProfileKeys({ userName }: { userName: string }) {
  const [shown, setShown] = useState(false);
  const id = useId();
  return (
    <section aria-label="API Keys">
      <div className="flex items-center justify-between gap-4">
        <h3 className="text-14 font-semibold">API Keys</h3>
        <Button kind="quiet" aria-expanded={shown} aria-controls={id} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
        </Button>
      </div>
      <Keys userName={userName} id={id} hidden={!shown} />
    </section>
  );
}

// Mounted while hidden, so that the list is loaded when the dialog opens.
function Keys({ userName, id, hidden }: { userName: string; id: string; hidden: boolean }) {
  const { keys, error, create, revoke } = useApiKeys();
  const { busy, run } = useAction<null>();
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<ApiKey | null>(null);
  useEffect(() => {
    if (error !== null) logFailure('listing API keys', error);
  }, [error]);

  const generate = (name: string) =>
    run(async () => {
      const { id: made } = await create(name, { description: `Generated for ${userName}` });
      setRevealed((before) => new Set(before).add(made));
    }, logged('generating an API key'));

  async function remove(key: ApiKey) {
    await run(() => revoke(key.id), logged('deleting an API key'));
    setDeleting(null);
  }

  function toggle(key: string) {
    const next = new Set(revealed);
    if (!next.delete(key)) next.add(key);
    setRevealed(next);
  }

  return (
    <div id={id} hidden={hidden} className="mt-3">
      <NameForm label="Key name" busy={busy} onSubmit={generate}>
        <Plus size={16} aria-hidden />
        Generate
      </NameForm>
      {keys === null ? null : keys.length === 0 ? (
        <p className="mt-3 text-14 text-ink-2">No active keys yet.</p>
      ) : (
        <div
          role="region"
          aria-label="List of API keys"
          className="mt-3 max-h-64 overflow-y-auto rounded-md border border-line-1"
        >
          <ul className="divide-y divide-line-1">
            {keys.map((key) => (
              <KeyRow
                key={key.id}
                apiKey={key}
                revealed={revealed.has(key.id)}
                onToggle={() => toggle(key.id)}
                onDelete={() => setDeleting(key)}
              />
            ))}
          </ul>
        </div>
      )}
      <ConfirmItem
        item={deleting}
        title={({ name }) => `Delete ${name}`}
        question={() => 'Are you sure you want to delete this API key? This action cannot be undone.'}
        action="Delete"
        busy={busy}
        onCancel={() => setDeleting(null)}
        onConfirm={(key) => void remove(key)}
      />
    </div>
  );
}

/** The profile shows no errors of keys: they are only logged. */
function logged(what: string): (error: unknown) => null {
  return (error) => {
    logFailure(what, error);
    return null;
  };
}

const WHY_HIDDEN = 'Only keys made since this page was loaded can be shown: Qinbox does not keep keys.';

interface KeyRowProps {
  apiKey: ApiKey;
  revealed: boolean;
  onToggle: () => void;
  onDelete: () => void;
}

function KeyRow({ apiKey, revealed, onToggle, onDelete }: KeyRowProps) {
  const id = useId();
  const full = knownKey(apiKey.id);
  const open = revealed && full !== null;
  return (
    <li className="flex items-center gap-1 py-2.5 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <p className="text-14 font-medium wrap-anywhere">{apiKey.name}</p>
        <Code className="block text-13 wrap-anywhere text-ink-2 select-all">
          {open ? full : full === null ? maskOf(apiKey) : maskKey(full)}
        </Code>
        <p className="text-13 text-ink-3">Created {fullTime(apiKey.created_at)}</p>
      </div>
      {/* Not `disabled`: it can be focused and says why. */}
      <IconButton
        label={`${open ? 'Hide' : 'Reveal'} ${apiKey.name}`}
        aria-pressed={open}
        aria-disabled={full === null || undefined}
        aria-describedby={full === null ? id : undefined}
        data-hint={full === null ? WHY_HIDDEN : open ? 'Hide' : 'Reveal'}
        onClick={() => {
          if (full !== null) onToggle();
        }}
        className="touch:size-11 aria-disabled:opacity-45"
      >
        {open ? <EyeOff size={17} aria-hidden /> : <Eye size={17} aria-hidden />}
      </IconButton>
      {full === null ? (
        <span id={id} hidden>
          {WHY_HIDDEN}
        </span>
      ) : null}
      <IconButton
        label={`Delete ${apiKey.name}`}
        data-hint="Delete"
        onClick={onDelete}
        className="touch:size-11"
      >
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </li>
  );
}
