// What the tasks of an intake have where the sender says nothing, and which deliveries become tasks at all.
import { useId, useState } from 'react';
import type { IntakeKindInfo, Priority } from '#core/contract/index.ts';
import { PRIORITIES, PRIORITY_LABEL } from '../../../../lib/labels.ts';
import { Card } from '../../../../ui/card.tsx';
import { CheckBox } from '../../../../ui/check-box.tsx';
import { Field, INPUT } from '../../../../ui/field.tsx';
import { presetOf } from '../../data/intakes.ts';
import { spellMinutes } from '../../model/labels.ts';
import type { Draft } from '../../model/draft.ts';
import { EventsField } from './events-field.tsx';
import { errorAt, type FieldErrors } from '../../model/field-errors.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
const LIFETIMES = [HOUR, 4 * HOUR, 12 * HOUR, 2 * DAY, 3 * DAY, 7 * DAY];

interface TasksCardProps {
  kind: IntakeKindInfo;
  draft: Draft;
  onChange: (draft: Draft) => void;
  faults: FieldErrors | null;
  busy: boolean;
}

export function TasksCard({ kind, draft, onChange, faults, busy }: TasksCardProps) {
  const lifetimes = LIFETIMES.map(String);
  if (draft.expiryMinutes !== '' && !lifetimes.includes(draft.expiryMinutes))
    lifetimes.push(draft.expiryMinutes);
  return (
    <Card title="Its tasks" description="What they have where the sender says nothing.">
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Field label="Priority" error={errorAt(faults, 'defaults/priority')}>
            {(control) => (
              <select
                {...control}
                value={draft.priority}
                disabled={busy}
                onChange={(event) => onChange({ ...draft, priority: event.target.value as Priority | '' })}
                className={`${INPUT} h-10`}
              >
                <option value="">Normal, or as the sender says</option>
                {PRIORITIES.map((priority) => (
                  <option key={priority} value={priority}>
                    {PRIORITY_LABEL[priority]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Lifetime" error={errorAt(faults, 'defaults/expiryMinutes')}>
            {(control) => (
              <select
                {...control}
                value={draft.expiryMinutes}
                disabled={busy}
                onChange={(event) => onChange({ ...draft, expiryMinutes: event.target.value })}
                className={`${INPUT} h-10`}
              >
                <option value="">24 hours, as any task</option>
                {lifetimes.map((minutes) => (
                  <option key={minutes} value={minutes}>
                    {spellMinutes(Number(minutes))}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <Field
          label="Tags"
          hint="Separated by commas. They are added to the sender’s."
          error={errorAt(faults, 'defaults/tags')}
        >
          {(control) => (
            <input
              {...control}
              value={draft.tags}
              disabled={busy}
              autoComplete="off"
              onChange={(event) => onChange({ ...draft, tags: event.target.value })}
              className={`${INPUT} h-10`}
            />
          )}
        </Field>
        <More kind={kind} draft={draft} onChange={onChange} faults={faults} busy={busy} />
      </div>
    </Card>
  );
}

// Open from the start where something in it was set, or is wrong.
function More({ kind, draft, onChange, faults, busy }: TasksCardProps) {
  const id = useId();
  const isSet = draft.events.length > 0 || !draft.reopens || draft.hourlyCap !== '';
  const [opened, setOpened] = useState(isSet);
  const eventsFault = errorAt(faults, 'events');
  const capFault = errorAt(faults, 'hourlyCap');
  const open = opened || eventsFault !== undefined || capFault !== undefined;
  return (
    <div className="border-t border-line-1 pt-4">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpened(!open)}
        className="rounded-sm text-14 font-medium text-accent hover:text-accent-strong"
      >
        {open ? 'Less' : 'More: events, repeats, hourly cap'}
      </button>
      <div id={id} hidden={!open} className={open ? 'mt-4 flex flex-col gap-5' : ''}>
        <EventsField
          known={presetOf(kind, draft.preset)?.events ?? []}
          chosen={draft.events}
          onChange={(events) => onChange({ ...draft, events })}
          error={eventsFault}
          disabled={busy}
        />
        <CheckBox
          label="Repeats of acknowledged tasks come back"
          hint="Off: what you have acknowledged stays silent until its time is up, however often it is sent again."
          checked={draft.reopens}
          disabled={busy}
          onChange={(reopens) => onChange({ ...draft, reopens })}
        />
        <Field
          label="Hourly cap"
          hint="Deliveries an hour; the sender is asked to come back for the rest. Empty for none."
          error={capFault}
        >
          {(control) => (
            <input
              {...control}
              type="number"
              min={1}
              max={100_000}
              value={draft.hourlyCap}
              disabled={busy}
              onChange={(event) => onChange({ ...draft, hourlyCap: event.target.value })}
              className={`${INPUT} h-10 sm:w-48`}
            />
          )}
        </Field>
      </div>
    </div>
  );
}
