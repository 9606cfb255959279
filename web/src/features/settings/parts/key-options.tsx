// What a new key may do and when it ends: one line that says it, and the choices below when it is opened.
import { ChevronRight } from 'lucide-react';
import { useTicking } from '../../../lib/ticker.ts';
import { fullTime } from '../../../lib/time.ts';
import { ticker } from '../../../lib/services.ts';
import { CheckBox } from '../../../ui/check-box.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { dayOf, EXPIRIES, expiryOf, SCOPES, scopesText, type KeyOptions } from '../model/key-options.ts';

const MINUTE_MS = 60_000;

interface KeyOptionsFieldsProps {
  options: KeyOptions;
  /** What is missing, once somebody tried to create the key. */
  problem: string | null;
  onChange: (options: KeyOptions) => void;
}

export function KeyOptionsFields({ options, problem, onChange }: KeyOptionsFieldsProps) {
  const now = useTicking(ticker, (time) => Math.floor(time / MINUTE_MS) * MINUTE_MS);
  const { scopes, expiry, date } = options;
  const end = expiryOf(options, now);
  return (
    <details className="group rounded-md border border-line-1">
      <summary className="flex min-h-10 list-none items-center gap-x-2 rounded-md px-3 py-2 text-14 text-ink-2 hover:bg-surface-2 touch:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={16}
          aria-hidden
          className="shrink-0 text-ink-3 transition-transform group-open:rotate-90"
        />
        <span className="sr-only">Scopes and expiry: </span>
        <span>
          {scopesText(scopes)} <span aria-hidden>·</span> {endText(end)}
        </span>
      </summary>
      <div className="grid gap-5 border-t border-line-1 px-3.5 pt-3.5 pb-4 lg:grid-cols-[1.35fr_1fr]">
        <fieldset>
          <legend className="mb-2 text-14 font-medium">What it may do</legend>
          <div className="flex flex-col gap-2.5">
            {SCOPES.map(({ scope, label, hint }) => (
              <CheckBox
                key={scope}
                label={label}
                hint={hint}
                checked={scopes.includes(scope)}
                onChange={(isOn) =>
                  onChange({
                    ...options,
                    scopes: SCOPES.map((each) => each.scope).filter((each) =>
                      each === scope ? isOn : scopes.includes(each),
                    ),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
        <div className="flex flex-col gap-3">
          <SelectField
            label="Expires"
            value={expiry}
            options={EXPIRIES}
            onChange={(value) =>
              onChange({
                ...options,
                expiry: EXPIRIES.find((each) => each.value === value)?.value ?? 'never',
              })
            }
          />
          {expiry === 'date' ? (
            <TextField
              label="Last day"
              type="date"
              min={dayOf(now)}
              value={date}
              onChange={(day) => onChange({ ...options, date: day })}
            />
          ) : null}
          <p className="text-13 text-ink-3">
            {expiry === 'never'
              ? 'Until it is revoked. A key that ends by itself is safer where it may be lost.'
              : 'From then on it is refused, and its live connections close.'}
          </p>
        </div>
      </div>
      {problem === null ? null : (
        <p role="alert" className="px-3.5 pb-3 text-13 text-danger">
          {problem}
        </p>
      )}
    </details>
  );
}

function endText(end: number | null | undefined): string {
  if (end === undefined) return 'until a day of your choice';
  return end === null ? 'does not expire' : `until ${fullTime(end)}`;
}
