// When a replaced address or secret stops working: now, or after a grace period.
import { ticker } from '../../../../lib/services.ts';
import { useTicking } from '../../../../lib/ticker.ts';
import { fullTime } from '../../../../lib/time.ts';

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
              <label
                key={grace.minutes}
                className="relative flex h-10 cursor-pointer items-center justify-center rounded-sm border border-line-1 text-14 text-ink-2 hover:border-line-2 has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-ink-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus"
              >
                <input
                  type="radio"
                  name="grace"
                  checked={grace.minutes === minutes}
                  onChange={() => onChange(grace.minutes)}
                  className="absolute inset-0 cursor-pointer appearance-none rounded-sm outline-none"
                />
                {grace.label}
              </label>
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
