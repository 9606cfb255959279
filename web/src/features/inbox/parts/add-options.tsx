// How long a new item lives, and whether it is pinned.
import { useId } from 'react';
import { DEFAULT_EXPIRY_MINUTES } from '#core/contract/limits.ts';
import { Field, INPUT } from '../../../ui/field.tsx';
import { formatLifetime, LIFETIMES } from '../model/lifetime.ts';

interface AddOptionsProps {
  expiryMinutes: number;
  pinned: boolean;
  error: string | undefined;
  disabled: boolean;
  onExpiryChange: (minutes: number) => void;
  onPinnedChange: (pinned: boolean) => void;
}

export function AddOptions(props: AddOptionsProps) {
  const { expiryMinutes, pinned, error, disabled } = props;
  const lifetimes = LIFETIMES.includes(expiryMinutes)
    ? LIFETIMES
    : [...LIFETIMES, expiryMinutes].toSorted((a, b) => a - b);
  return (
    <div className="grid grid-cols-[8rem_1fr] items-end gap-x-5">
      <Field label="Time" error={error}>
        {(control) => (
          <select
            {...control}
            value={String(expiryMinutes)}
            disabled={disabled}
            onChange={(event) => props.onExpiryChange(Number(event.target.value))}
            className={`${INPUT} h-10 touch:h-11`}
          >
            {lifetimes.map((minutes) => (
              <option key={minutes} value={String(minutes)}>
                {minutes === DEFAULT_EXPIRY_MINUTES ? '24 hours' : formatLifetime(minutes)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <PinField checked={pinned} disabled={disabled} onChange={props.onPinnedChange} />
    </div>
  );
}

interface PinFieldProps {
  checked: boolean;
  disabled: boolean;
  onChange: (pinned: boolean) => void;
}

// Its label holds the hint, too: as much to hit as the field beside it.
function PinField({ checked, disabled, onChange }: PinFieldProps) {
  const id = useId();
  return (
    <label htmlFor={id} className="flex min-h-10 items-center gap-3 touch:min-h-11">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4.5 shrink-0 accent-accent disabled:opacity-50"
      />
      <span className="min-w-0">
        <span id={`${id}-label`} className="block text-14 font-medium">
          Pin
        </span>
        <span id={`${id}-hint`} className="block text-13 text-ink-2">
          Stays until acknowledged
        </span>
      </span>
    </label>
  );
}
