// Quiet hours: when nothing is pushed, by the clock of a zone, and what may pass all the same.
import { useState } from 'react';
import type { PushRules, QuietHours } from '#core/contract/index.ts';
import { CheckBox } from '../../../../ui/check-box.tsx';
import { TimeField, ZoneField } from '../../../../ui/clock-fields.tsx';
import type { useSaveRules } from '../../data/push.ts';
import { endsNextDay, nightly, WEEKDAYS, withDay } from '../../model/push-rules.ts';
import { Pills } from '../../../../ui/pills.tsx';
import { PriorityPills } from '../../../../ui/priority-pills.tsx';
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
  return (
    <>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[8rem_8rem_minmax(0,1fr)]">
        <TimeField
          key={`from ${quiet.from}`}
          label="From"
          time={quiet.from}
          refusal={differsFrom(quiet.to)}
          onChange={(from) => onChange({ from })}
        />
        <TimeField
          key={`to ${quiet.to}`}
          label="To"
          time={quiet.to}
          refusal={differsFrom(quiet.from)}
          hint={endsNextDay(quiet) ? 'The next day' : undefined}
          onChange={(to) => onChange({ to })}
        />
        <div className="max-sm:col-span-2">
          <ZoneField zone={quiet.zone} onChange={(zone) => onChange({ zone })} />
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

/** Quiet hours have a length. */
const differsFrom = (other: string) => (time: string) =>
  time === other ? 'From and to are the same.' : undefined;
