// For administrators: channels whose tasks all go to one owner.
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { SlackChannel } from '#adapters/ingestion/slack/contract.ts';
import { ApiError, problemOf, problemWith, type Problem } from '../../../lib/api/api-error.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmItem } from '../../../ui/confirm.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { useSlackChanges } from '../data/slack-status.ts';

export function Channels({ channels }: { channels: readonly SlackChannel[] }) {
  const { untie } = useSlackChanges();
  const [ending, setEnding] = useState<SlackChannel | null>(null);
  const { busy, problem, setProblem, run } = useAction();

  async function end({ id }: SlackChannel) {
    await run(() => untie(id), problemWith('Failed to untie the channel'));
    setEnding(null);
  }

  return (
    <section aria-labelledby="slack-channels" className="flex flex-col gap-3 border-t border-line-1 pt-5">
      <div>
        <h2 id="slack-channels" className="text-14 font-semibold">
          Channels
        </h2>
        <p className="text-13 text-ink-3">
          Whatever is added in one of these goes to its owner, not to its author. Only administrators see
          this.
        </p>
      </div>
      <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
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
      <NewChannel />
      <ConfirmItem
        item={ending}
        title={(channel) => `Untie ${nameOf(channel)}`}
        question={() =>
          'What is added there will go to its author. Tasks that are there already stay where they are.'
        }
        action="Untie"
        busy={busy}
        onCancel={() => setEnding(null)}
        onConfirm={(channel) => void end(channel)}
      />
    </section>
  );
}

const EMPTY = { channel: '', name: '', owner: '' };
const FIELDS = [
  { name: 'channel', label: 'Channel id or link', placeholder: 'C0123ABCD' },
  { name: 'name', label: 'Name (optional)', placeholder: '#ops' },
  { name: 'owner', label: 'Owner’s e-mail', placeholder: 'ops@example.com' },
] as const;

/** Why it failed: in the fields where the server names them, else above. */
interface Failure {
  problem: Problem | null;
  fields: Record<string, string | undefined>;
}

function NewChannel() {
  const { tie } = useSlackChanges();
  const [draft, setDraft] = useState(EMPTY);
  const { busy, problem: failure, setProblem: setFailure, run } = useAction<Failure>();
  const channel = draft.channel.trim();
  const owner = draft.owner.trim();
  const name = draft.name.trim();
  const isComplete = channel !== '' && owner !== '';

  async function submit() {
    if (!isComplete || busy) return;
    const input = { channel, owner, ...(name === '' ? {} : { name }) };
    if (await run(() => tie(input), failureOf)) setDraft(EMPTY);
  }

  return (
    <>
      <ProblemBanner problem={failure?.problem ?? null} onDismiss={() => setFailure(null)} />
      <Form
        noValidate
        aria-label="Tie a channel"
        className="grid gap-3 sm:grid-cols-2"
        onSubmit={() => void submit()}
      >
        {FIELDS.map(({ name: field, ...rest }) => (
          <TextField
            key={field}
            {...rest}
            error={failure?.fields[field]}
            value={draft[field]}
            disabled={busy}
            onChange={(text) => {
              setDraft({ ...draft, [field]: text });
              if (failure !== null)
                setFailure({ ...failure, fields: { ...failure.fields, [field]: undefined } });
            }}
            className="h-9 min-w-0"
          />
        ))}
        <Button type="submit" className="self-end justify-self-start" disabled={busy || !isComplete}>
          <Plus size={17} aria-hidden />
          Tie channel
        </Button>
      </Form>
    </>
  );
}

function failureOf(error: unknown): Failure {
  const details = error instanceof ApiError ? error.details : [];
  return {
    problem: details.length === 0 ? problemOf(error, 'Failed to tie the channel') : null,
    fields: Object.fromEntries(details.map(({ field, message }) => [field, message])),
  };
}

function nameOf({ id, name }: SlackChannel): string {
  return name === null ? id : `#${name}`;
}
