// Escalation among the settings: who is told when nobody acknowledges, and the digest of what expired unseen.
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Escalation, SaveEscalation } from '#core/contract/index.ts';
import { MAX_ESCALATIONS } from '#core/contract/limits.ts';
import { problemWith } from '../../../lib/api/api-error.ts';
import { useIntakeList } from '../../../lib/intake-list.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useWebhookList } from '../../../lib/webhook-list.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmItem } from '../../../ui/confirm.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useEscalationCalls, useEscalations, type SlackPlace } from '../data/escalations.ts';
import { draftOf, inputOf } from '../model/draft.ts';
import { scopeText } from '../model/steps.ts';
import { DigestCard } from '../parts/digest-card.tsx';
import { EscalationDialog, type Choice } from '../parts/escalation-form.tsx';
import { EscalationRow, type EscalationAction } from '../parts/escalation-row.tsx';
import { First } from '../parts/first.tsx';

export default function EscalationSection() {
  return (
    <>
      <Card
        bare
        title="Escalation"
        description="When nobody acknowledges a task, somebody is told again, by another way, step by step until it is acknowledged."
      >
        <Loaded
          query={useEscalations()}
          loading="Loading escalations"
          failure="Failed to fetch the escalations"
        >
          {(listed) => <Escalations {...listed} />}
        </Loaded>
      </Card>
      <DigestCard />
    </>
  );
}

interface EscalationsProps {
  escalations: readonly Escalation[];
  mail: boolean;
  slack: readonly SlackPlace[];
}

/** The dialog: closed, or open for a new escalation or this one. */
type Editing = { open: boolean; escalation: Escalation | null };

function Escalations({ escalations, mail, slack }: EscalationsProps) {
  const calls = useEscalationCalls();
  const { data: intakes } = useIntakeList();
  const { data: webhooks = [] } = useWebhookList();
  const { busy, problem, setProblem, run } = useAction();
  const [editing, setEditing] = useState<Editing>({ open: false, escalation: null });
  const [removing, setRemoving] = useState<Escalation | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const close = () => setEditing((now) => ({ ...now, open: false }));

  async function submit(input: SaveEscalation) {
    const { escalation } = editing;
    if (escalation === null) await calls.create(input);
    else await calls.save(escalation.id, input);
    close();
  }

  const actions: Record<EscalationAction, (escalation: Escalation) => void> = {
    edit: (escalation) => setEditing({ open: true, escalation }),
    remove: setRemoving,
    pause: (escalation) => void setPaused(escalation, true),
    resume: (escalation) => void setPaused(escalation, false),
    test: ({ id }) => {
      setShown(id);
      void run(() => calls.test(id), problemWith('Failed to test the escalation'));
    },
  };

  const setPaused = (escalation: Escalation, paused: boolean) =>
    run(
      () => calls.save(escalation.id, inputOf({ ...draftOf(escalation), paused })),
      problemWith(paused ? 'Failed to pause the escalation' : 'Failed to let the escalation go on'),
    );

  async function remove({ id, name }: Escalation) {
    const isRemoved = await run(() => calls.remove(id), problemWith('Failed to delete the escalation'));
    setRemoving(null);
    if (isRemoved) void notify({ text: `${name} was deleted` });
  }

  return (
    <div className="flex flex-col gap-4">
      <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
      {escalations.length === 0 ? (
        <First
          mail={mail}
          busy={busy}
          onUse={(input) => void run(() => calls.create(input), problemWith('Failed to add the escalation'))}
        />
      ) : (
        <ul aria-label="Escalations" className="divide-y divide-line-1 border-y border-line-1">
          {escalations.map((escalation) => (
            <EscalationRow
              key={escalation.id}
              escalation={escalation}
              scope={scopeText({ escalation, intakes, isOneOfMany: escalations.length > 1 })}
              receivers={{ webhooks, slack }}
              disabled={busy}
              open={shown === escalation.id}
              onToggle={() => setShown(shown === escalation.id ? null : escalation.id)}
              onAction={(action) => actions[action](escalation)}
            />
          ))}
        </ul>
      )}
      <Add
        isFirst={escalations.length === 0}
        isFull={escalations.length >= MAX_ESCALATIONS}
        isAllTaken={choicesOf(escalations, intakes, null).length === 0}
        onAdd={() => setEditing({ open: true, escalation: null })}
      />
      <EscalationDialog
        {...editing}
        choices={choicesOf(escalations, intakes, editing.escalation)}
        mail={mail}
        slack={slack}
        onClose={close}
        onSubmit={submit}
      />
      <ConfirmItem
        item={removing}
        title={({ name }) => `Delete ${name}`}
        question={() => 'Steps that wait for their time, and the record of what came of it, go with it.'}
        action="Delete"
        busy={busy}
        onCancel={() => setRemoving(null)}
        onConfirm={(escalation) => void remove(escalation)}
      />
    </div>
  );
}

/** What `own`, or a new one for null, can be for: one is for each intake, and one for everything else. */
function choicesOf(
  escalations: readonly Escalation[],
  intakes: readonly { id: string; name: string }[] = [],
  own: Escalation | null,
): Choice[] {
  const isFree = (intake: string | null) =>
    escalations.every((each) => each.id === own?.id || each.intake !== intake);
  const isOneOfMany = escalations.some(({ id }) => id !== own?.id);
  const isGone = own !== null && own.intake !== null && intakes.every(({ id }) => id !== own.intake);
  return [
    { intake: null, label: isOneOfMany ? 'Everything else' : 'All tasks' },
    ...intakes.map(({ id, name }) => ({ intake: id, label: `What comes through ${name}` })),
    ...(isGone ? [{ intake: own.intake, label: 'An intake that is gone' }] : []),
  ].filter(({ intake }) => isFree(intake));
}

interface AddProps {
  isFirst: boolean;
  isFull: boolean;
  isAllTaken: boolean;
  onAdd: () => void;
}

function Add({ isFirst, isFull, isAllTaken, onAdd }: AddProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button disabled={isFull || isAllTaken} onClick={onAdd}>
        <Plus size={17} aria-hidden />
        {isFirst ? 'Make my own' : 'Add escalation'}
      </Button>
      {isFull ? (
        <p className="text-13 text-ink-2">More than {MAX_ESCALATIONS} are not possible.</p>
      ) : isAllTaken ? (
        <p className="min-w-0 flex-1 basis-56 text-13 text-ink-2">
          One more is possible for an intake of its own, once there is one.
        </p>
      ) : null}
    </div>
  );
}
