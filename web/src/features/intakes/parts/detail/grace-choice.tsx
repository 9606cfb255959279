// When a replaced address or secret stops working: now, or after a grace period.
import { ticker } from '../../../../lib/services.ts';
import { useTicking } from '../../../../lib/ticker.ts';
import { fullTime } from '../../../../lib/time.ts';
import { RadioTile } from '../../../../ui/choice.tsx';

const MINUTE_MS = 60_000;
const GRACES = [
  { minutes: 0, label: 'Now' },
  { minutes: 60, label: 'In 1 hour' },
  { minutes: 1440, label: 'In 1 day' },
  { minutes: 7 * 1440, label: 'In 7 days' },
];

interface GraceChoiceProps {
  /** Null where there is no grace period to choose. */
  legend: string | null;
  /** What 0 minutes mean. */
  atOnce: string;
  remark?: string;
  minutes: number;
  onChange: (minutes: number) => void;
  disabled: boolean;
}

export function GraceChoice({ legend, atOnce, remark = '', minutes, onChange, disabled }: GraceChoiceProps) {
  const until = useTicking(ticker, (now) => fullTime(now + minutes * MINUTE_MS));
  return (
    <>
      {legend === null ? null : (
        <fieldset disabled={disabled}>
          <legend className="mb-1.5 text-14 font-medium">{legend}</legend>
          <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
            {GRACES.map((grace) => (
              <RadioTile
                key={grace.minutes}
                name="grace"
                value={String(grace.minutes)}
                checked={grace.minutes === minutes}
                onChoose={() => onChange(grace.minutes)}
                className="h-10 border border-line-1 hover:border-line-2 has-checked:border-accent has-checked:bg-accent-soft"
              >
                {grace.label}
              </RadioTile>
            ))}
          </div>
        </fieldset>
      )}
      <p role="status" className="text-14 text-ink-2">
        {minutes === 0 ? atOnce : `It stays good until ${until}, beside the new one.`}
        {remark}
      </p>
    </>
  );
}
