// How long a new item lives, and whether it is pinned.
import { DEFAULT_EXPIRY_MINUTES } from '#core/contract/limits.ts';
import { CheckBox } from '../../../ui/check-box.tsx';
import { SelectField } from '../../../ui/field.tsx';
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
      <SelectField
        label="Time"
        error={error}
        value={String(expiryMinutes)}
        disabled={disabled}
        onChange={(minutes) => props.onExpiryChange(Number(minutes))}
        options={lifetimes.map((minutes) => ({
          value: String(minutes),
          label: minutes === DEFAULT_EXPIRY_MINUTES ? '24 hours' : formatLifetime(minutes),
        }))}
      />
      <CheckBox
        label="Pin"
        hint="Stays until acknowledged"
        checked={pinned}
        disabled={disabled}
        onChange={props.onPinnedChange}
      />
    </div>
  );
}
