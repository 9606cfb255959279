// Quiet hours: when nothing is pushed, by the clock of a zone, and what may pass all the same.
import { useState } from 'react';
import type { PushRules, QuietHours } from '#core/contract/index.ts';
import { CheckBox } from '../../../../ui/check-box.tsx';
import { SelectField, TextField } from '../../../../ui/field.tsx';
import type { useSaveRules } from '../../data/push.ts';
import { endsNextDay, nightly, ownZone, WEEKDAYS, withDay, zonesWith } from '../../model/push-rules.ts';
import { Pills } from '../../../../ui/pills.tsx';
import { PriorityPills } from './priority-pills.tsx';
import { RulesCard } from './rules-card.tsx';

interface QuietCardProps {
  quiet: PushRules['quiet'];
  saver: ReturnType<typeof useSaveRules>;
}

export function QuietCard({ quiet, saver }: QuietCardProps) {
  // Those of before come back when they are switched on again.
  const [last, setLast] = useState(quiet);
  if (quiet !== null && quiet !== last) setLast(quiet);
  return (
    <RulesCard title="Quiet hours" part="quiet" saver={saver}>
      <CheckBox
        label="Push nothing in quiet hours"
        hint="What comes then is told once, in one summary, when they end."
        checked={quiet !== null}
        onChange={(isOn) => saver.save('quiet', { quiet: isOn ? (last ?? nightly()) : null })}
      />
      {quiet === null ? null : (
        <Hours
          quiet={quiet}
          onChange={(changes) => saver.save('quiet', { quiet: { ...quiet, ...changes } })}
        />
      )}
    </RulesCard>
  );
}

interface HoursProps {
  quiet: QuietHours;
  onChange: (changes: Partial<QuietHours>) => void;
}

function Hours({ quiet, onChange }: HoursProps) {
  const [needsDay, setNeedsDay] = useState(false);
  const own = ownZone();
  return (
    <>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[8rem_8rem_minmax(0,1fr)]">
        <TimeField
          key={`from ${quiet.from}`}
          label="From"
          time={quiet.from}
          other={quiet.to}
          onChange={(from) => onChange({ from })}
        />
        <TimeField
          key={`to ${quiet.to}`}
          label="To"
          time={quiet.to}
          other={quiet.from}
          hint={endsNextDay(quiet) ? 'The next day' : undefined}
          onChange={(to) => onChange({ to })}
        />
        <div className="max-sm:col-span-2">
          <SelectField
            label="Time zone"
            value={quiet.zone}
            options={zonesWith(own, quiet.zone).map((zone) => ({
              value: zone,
              label: zone === own ? `${readable(zone)} (here)` : readable(zone),
            }))}
            onChange={(zone) => onChange({ zone })}
          />
        </div>
      </div>
      <Pills
        label="Days"
        hint={endsNextDay(quiet) ? 'On which they begin.' : undefined}
        options={WEEKDAYS.map(({ day, label, name }) => ({ value: day, label, name }))}
        chosen={quiet.days}
        error={needsDay ? 'Choose at least one day, or switch quiet hours off.' : undefined}
        onToggle={(day, isOn) => {
          const days = withDay(quiet.days, day, isOn);
          setNeedsDay(days.length === 0);
          if (days.length > 0) onChange({ days });
        }}
      />
      <PriorityPills
        label="May pass"
        hint={quiet.pass.length === 0 ? 'Nothing is pushed, however urgent.' : 'Pushed at once, also then.'}
        chosen={quiet.pass}
        onChange={(pass) => onChange({ pass })}
      />
    </>
  );
}

function readable(zone: string): string {
  return zone.replaceAll('_', ' ');
}

interface TimeFieldProps {
  label: string;
  time: string;
  /** The other end: quiet hours have a length. */
  other: string;
  hint?: string | undefined;
  onChange: (time: string) => void;
}

/** Saved when it is left, or by Enter: while it is typed it passes through times that nobody means. */
function TimeField({ label, time, other, hint, onChange }: TimeFieldProps) {
  const [text, setText] = useState(time);
  const [error, setError] = useState<string>();

  function save() {
    if (text === time) setError(undefined);
    else if (text === '') setError('Give a time.');
    else if (text === other) setError('From and to are the same.');
    else onChange(text);
  }

  return (
    <TextField
      type="time"
      required
      label={label}
      hint={hint}
      error={error}
      value={text}
      onChange={(value) => setText(value.slice(0, 5))}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save();
      }}
    />
  );
}
