// The API keys of the profile: generated, revealed where this page has made them, deleted. What fails is only logged.
import { Eye, EyeOff, Plus, Trash2 } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { ApiKey } from '#core/contract/index.ts';
import { knownKey, maskKey, maskOf, useApiKeys } from '../../../lib/api-keys.ts';
import { logFailure } from '../../../lib/log.ts';
import { fullTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Field, INPUT } from '../../../ui/field.tsx';
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

// There from the start, so that the list is loaded when the dialog opens.
function Keys({ userName, id, hidden }: { userName: string; id: string; hidden: boolean }) {
  const { keys, error, create, revoke } = useApiKeys();
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<ApiKey | null>(null);
  const trimmed = name.trim();
  useEffect(() => {
    if (error !== null) logFailure('listing API keys', error);
  }, [error]);

  async function generate() {
    if (trimmed === '' || busy) return;
    setBusy(true);
    try {
      const { id: made } = await create(trimmed, `Generated for ${userName}`);
      setRevealed((before) => new Set(before).add(made));
      setName('');
    } catch (failure) {
      logFailure('generating an API key', failure);
    } finally {
      setBusy(false);
    }
  }

  async function remove(key: ApiKey) {
    setBusy(true);
    try {
      await revoke(key.id);
    } catch (failure) {
      logFailure('deleting an API key', failure);
    } finally {
      setBusy(false);
      setDeleting(null);
    }
  }

  function toggle(key: string) {
    const next = new Set(revealed);
    if (!next.delete(key)) next.add(key);
    setRevealed(next);
  }

  return (
    <div id={id} hidden={hidden} className="mt-3">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void generate();
        }}
      >
        <Field label="Key name">
          {(control) => (
            <div className="flex gap-2">
              <input
                {...control}
                value={name}
                maxLength={100}
                disabled={busy}
                autoComplete="off"
                onChange={(event) => setName(event.target.value)}
                className={`${INPUT} h-9 min-w-0 flex-1`}
              />
              <Button type="submit" disabled={busy || trimmed === ''}>
                <Plus size={16} aria-hidden />
                Generate
              </Button>
            </div>
          )}
        </Field>
      </form>
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
      <Confirm
        open={deleting !== null}
        title={`Delete ${deleting?.name ?? 'API key'}`}
        question="Are you sure you want to delete this API key? This action cannot be undone."
        action="Delete"
        busy={busy}
        onCancel={() => setDeleting(null)}
        onConfirm={() => {
          if (deleting !== null) void remove(deleting);
        }}
      />
    </div>
  );
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
        <code className="block font-mono text-13 wrap-anywhere text-ink-2 select-all">
          {open ? full : full === null ? maskOf(apiKey) : maskKey(full)}
        </code>
        <p className="text-13 text-ink-3">Created {fullTime(apiKey.created_at)}</p>
      </div>
      {/* Not `disabled`: whoever reaches it learns why. */}
      <IconButton
        label={`${open ? 'Hide' : 'Reveal'} ${apiKey.name}`}
        aria-pressed={open}
        aria-disabled={full === null || undefined}
        aria-describedby={full === null ? id : undefined}
        data-hint={full === null ? WHY_HIDDEN : open ? 'Hide' : 'Reveal'}
        onClick={() => {
          if (full !== null) onToggle();
        }}
        className="aria-disabled:opacity-45"
      >
        {open ? <EyeOff size={17} aria-hidden /> : <Eye size={17} aria-hidden />}
      </IconButton>
      {full === null ? (
        <span id={id} hidden>
          {WHY_HIDDEN}
        </span>
      ) : null}
      <IconButton label={`Delete ${apiKey.name}`} data-hint="Delete" onClick={onDelete}>
        <Trash2 size={16} aria-hidden />
      </IconButton>
    </li>
  );
}
