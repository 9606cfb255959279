// For administrators: channels whose tasks go to one owner, whoever makes them.
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { SlackChannel } from '#adapters/ingestion/slack/contract.ts';
import { ApiError, problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { Banner, ProblemText } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Field, INPUT } from '../../../ui/field.tsx';
import { useSlackChanges } from '../data/slack-status.ts';

const NOTHING = { channel: '', name: '', owner: '' };
type Draft = typeof NOTHING;

export function Channels({ channels }: { channels: readonly SlackChannel[] }) {
  const { tie, untie } = useSlackChanges();
  const [draft, setDraft] = useState<Draft>(NOTHING);
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const [ending, setEnding] = useState<SlackChannel | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isWhole = draft.channel.trim() !== '' && draft.owner.trim() !== '';

  async function during(work: () => Promise<void>, fallback: string) {
    setBusy(true);
    setProblem(null);
    setFaults({});
    try {
      await work();
    } catch (error) {
      const details = error instanceof ApiError ? error.details : [];
      setFaults(Object.fromEntries(details.map(({ field, message }) => [field, message])));
      if (details.length === 0) setProblem(problemOf(error, fallback));
    } finally {
      setBusy(false);
      setEnding(null);
    }
  }

  async function submit() {
    const { channel, name, owner } = draft;
    await during(async () => {
      await tie({
        channel: channel.trim(),
        owner: owner.trim(),
        ...(name.trim() === '' ? {} : { name: name.trim() }),
      });
      setDraft(NOTHING);
    }, 'Failed to tie the channel');
  }

  const input = (field: keyof Draft, label: string, placeholder: string) => (
    <Field label={label} error={faults[field]}>
      {(control) => (
        <input
          {...control}
          value={draft[field]}
          disabled={busy}
          autoComplete="off"
          placeholder={placeholder}
          onChange={(event) => {
            setDraft({ ...draft, [field]: event.target.value });
            setFaults({ ...faults, [field]: undefined });
          }}
          className={`${INPUT} h-9 min-w-0`}
        />
      )}
    </Field>
  );

  return (
    <section aria-labelledby="slack-channels" className="flex flex-col gap-3 border-t border-line-1 pt-5">
      <div>
        <h3 id="slack-channels" className="text-14 font-semibold">
          Channels
        </h3>
        <p className="text-13 text-ink-3">
          Whatever is added in one of these goes to its owner, whoever adds it. Only administrators see this.
        </p>
      </div>
      {problem === null ? null : (
        <Banner tone="danger" onDismiss={() => setProblem(null)}>
          <ProblemText {...problem} />
        </Banner>
      )}
      {channels.length === 0 ? null : (
        <ul aria-label="Tied Slack channels" className="divide-y divide-line-1">
          {channels.map((channel) => (
            <li key={channel.id} className="flex items-center gap-3 py-2">
              <p className="min-w-0 flex-1 text-14 wrap-anywhere">
                <span className="font-medium">{nameOf(channel)}</span> goes to{' '}
                {channel.owner ?? 'nobody any more'}
              </p>
              <Button
                kind="danger"
                aria-label={`Untie ${nameOf(channel)}`}
                onClick={() => setEnding(channel)}
              >
                Untie
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form
        noValidate
        aria-label="Tie a channel"
        className="grid gap-3 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole && !busy) void submit();
        }}
      >
        {input('channel', 'Channel id or link', 'C0123ABCD')}
        {input('name', 'Name (optional)', '#ops')}
        {input('owner', 'Owner’s e-mail', 'ops@example.com')}
        <Button type="submit" className="self-end justify-self-start" disabled={busy || !isWhole}>
          <Plus size={17} aria-hidden />
          Tie channel
        </Button>
      </form>
      <Confirm
        open={ending !== null}
        title={`Untie ${ending === null ? 'the channel' : nameOf(ending)}`}
        question="What is added there will go to whoever adds it. Tasks that are there already stay where they are."
        action="Untie"
        busy={busy}
        onCancel={() => setEnding(null)}
        onConfirm={() => {
          if (ending !== null) void during(() => untie(ending.id), 'Failed to untie the channel');
        }}
      />
    </section>
  );
}

function nameOf({ id, name }: SlackChannel): string {
  return name === null ? id : `#${name}`;
}
