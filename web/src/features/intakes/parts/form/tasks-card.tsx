// Defaults for the tasks of an intake, and which deliveries become tasks.
import { useId, useState } from 'react';
import type { IntakeKindInfo } from '#core/contract/index.ts';
import { PRIORITIES, PRIORITY_LABEL } from '../../../../lib/labels.ts';
import { Card } from '../../../../ui/card.tsx';
import { CheckBox } from '../../../../ui/check-box.tsx';
import { SelectField, TextField } from '../../../../ui/field.tsx';
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
  errors: FieldErrors | null;
  busy: boolean;
}

export function TasksCard({ kind, draft, onChange, errors, busy }: TasksCardProps) {
  const lifetimes = LIFETIMES.map(String);
  if (draft.expiryMinutes !== '' && !lifetimes.includes(draft.expiryMinutes))
    lifetimes.push(draft.expiryMinutes);
  return (
    <Card title="Its tasks" description="What they have where the sender says nothing.">
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <SelectField
            label="Priority"
            error={errorAt(errors, 'defaults/priority')}
            value={draft.priority}
            disabled={busy}
            onChange={(value) =>
              onChange({ ...draft, priority: PRIORITIES.find((priority) => priority === value) ?? '' })
            }
            options={[
              { value: '', label: 'Normal, or as the sender says' },
              ...PRIORITIES.map((value) => ({ value, label: PRIORITY_LABEL[value] })),
            ]}
          />
          <SelectField
            label="Lifetime"
            error={errorAt(errors, 'defaults/expiryMinutes')}
            value={draft.expiryMinutes}
            disabled={busy}
            onChange={(expiryMinutes) => onChange({ ...draft, expiryMinutes })}
            options={[
              { value: '', label: '24 hours, as any task' },
              ...lifetimes.map((value) => ({ value, label: spellMinutes(Number(value)) })),
            ]}
          />
        </div>
        <TextField
          label="Tags"
          hint="Separated by commas. They are added to the sender’s."
          error={errorAt(errors, 'defaults/tags')}
          value={draft.tags}
          disabled={busy}
          onChange={(tags) => onChange({ ...draft, tags })}
        />
        <More kind={kind} draft={draft} onChange={onChange} errors={errors} busy={busy} />
      </div>
    </Card>
  );
}

// Open from the start where a field in it is set or has an error.
function More({ kind, draft, onChange, errors, busy }: TasksCardProps) {
  const id = useId();
  const isSet = draft.events.length > 0 || !draft.reopens || draft.hourlyCap !== '';
  const [opened, setOpened] = useState(isSet);
  const eventsError = errorAt(errors, 'events');
  const capError = errorAt(errors, 'hourlyCap');
  const open = opened || eventsError !== undefined || capError !== undefined;
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
          error={eventsError}
          disabled={busy}
        />
        <CheckBox
          label="Repeats of acknowledged tasks come back"
          hint="Off: what you have acknowledged stays silent until its time is up, however often it is sent again."
          checked={draft.reopens}
          disabled={busy}
          onChange={(reopens) => onChange({ ...draft, reopens })}
        />
        <TextField
          label="Hourly cap"
          hint="Deliveries an hour; the sender is asked to come back for the rest. Empty for none."
          error={capError}
          type="number"
          min={1}
          max={100_000}
          value={draft.hourlyCap}
          disabled={busy}
          onChange={(hourlyCap) => onChange({ ...draft, hourlyCap })}
          className="h-10 sm:w-48"
        />
      </div>
    </div>
  );
}
