// Do not disturb: no push at all until a time.
import { useEffect, useRef, useState } from 'react';
import type { PushRules } from '#core/contract/index.ts';
import { pickedTime } from '#core/domain/snooze-times.ts';
import { ticker } from '../../../../lib/services.ts';
import { useTicking } from '../../../../lib/ticker.ts';
import { fullTime, parseTime } from '../../../../lib/time.ts';
import { Button } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/field.tsx';
import { Form } from '../../../../ui/form.tsx';
import type { useSaveRules } from '../../data/push.ts';
import { SILENCES } from '../../model/push-rules.ts';
import { RulesCard } from './rules-card.tsx';

const YEAR_MS = 365 * 24 * 60 * 60_000;

interface SilenceCardProps {
  until: PushRules['doNotDisturbUntil'];
  saver: ReturnType<typeof useSaveRules>;
}

export function SilenceCard({ until, saver }: SilenceCardProps) {
  const end = parseTime(until) ?? 0;
  const isOn = useTicking(ticker, (now) => end > now);
  const [isPicking, setIsPicking] = useState(false);

  function save(time: number | null) {
    setIsPicking(false);
    saver.save('silence', { doNotDisturbUntil: time === null ? null : new Date(time).toISOString() });
  }

  return (
    <RulesCard
      title="Do not disturb"
      description={
        isOn
          ? `On until ${fullTime(end)}. Nothing is pushed before; then one summary says what came.`
          : 'Off. No push at all for a while:'
      }
      part="silence"
      saver={saver}
    >
      <div className="flex flex-wrap gap-2">
        {isOn ? (
          <Button kind="primary" onClick={() => save(null)}>
            Turn off
          </Button>
        ) : null}
        {SILENCES.map(({ label, until: timeAt }) => (
          <Button key={label} onClick={() => save(timeAt(ticker.now()))}>
            {label}
          </Button>
        ))}
        <Button aria-expanded={isPicking} onClick={() => setIsPicking(!isPicking)}>
          Until a time…
        </Button>
      </div>
      {isPicking ? <TimePicker onPick={save} /> : null}
    </RulesCard>
  );
}

function TimePicker({ onPick }: { onPick: (time: number) => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  // The button that opened it is done with.
  useEffect(() => field.current?.focus(), []);

  function submit() {
    const time = pickedTime(text, ticker.now());
    if (Number.isNaN(time)) setError('Give a day and a time.');
    else if (time <= ticker.now()) setError('Choose a time in the future.');
    else if (time > ticker.now() + YEAR_MS) setError('Choose a time within a year.');
    else onPick(time);
  }

  return (
    <Form noValidate onSubmit={submit} className="max-w-[22rem]">
      <TextField
        label="Until"
        type="datetime-local"
        ref={field}
        error={error}
        value={text}
        onChange={(value) => {
          setText(value);
          setError(undefined);
        }}
        className="h-9 min-w-0 flex-1"
        after={
          <Button type="submit" kind="primary">
            Set
          </Button>
        }
      />
    </Form>
  );
}
