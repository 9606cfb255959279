// Several of a few: check boxes drawn as pills.
import { useId, type ReactNode } from 'react';

interface PillProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** For screen readers, where what it shows is short. */
  name?: string | undefined;
  /** It is one of those of which the choice is wrong. */
  invalid?: boolean;
  /** What it shows is code. */
  mono?: boolean;
  children: ReactNode;
}

export function Pill({ checked, onChange, name, invalid = false, mono = false, children }: PillProps) {
  return (
    <label
      translate={mono ? 'no' : undefined}
      className={`relative inline-flex cursor-pointer items-center gap-2 rounded-[1.375rem] border border-line-1 py-1 wrap-anywhere text-ink-2 transition-colors hover:border-line-2 has-checked:border-accent has-checked:bg-accent-soft has-checked:text-ink-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus touch:min-h-11 touch:min-w-11 touch:justify-center ${mono ? 'min-h-8 px-3 font-mono text-[0.75rem]' : 'min-h-9 px-3.5 text-14'}`}
    >
      <input
        type="checkbox"
        aria-label={name}
        aria-invalid={invalid || undefined}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
        className="absolute inset-0 cursor-pointer appearance-none rounded-[inherit] outline-none"
      />
      {children}
    </label>
  );
}

interface PillsProps<T extends string | number> {
  label: string;
  hint?: string | undefined;
  options: readonly { value: T; label: ReactNode; name?: string }[];
  chosen: readonly T[];
  onToggle: (value: T, isOn: boolean) => void;
  error?: string | undefined;
  disabled?: boolean;
}

/** A group of pills with its hint and its error. */
export function Pills<T extends string | number>(props: PillsProps<T>) {
  const { label, hint, options, chosen, onToggle, error, disabled = false } = props;
  const id = useId();
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <fieldset
      disabled={disabled}
      aria-describedby={described === '' ? undefined : described}
      className="min-w-0"
    >
      <legend className="text-14 font-medium">{label}</legend>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="mt-0.5 text-13 text-ink-3">
          {hint}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-1.5">
        {options.map((option) => (
          <Pill
            key={option.value}
            name={option.name}
            invalid={error !== undefined}
            checked={chosen.includes(option.value)}
            onChange={(isOn) => onToggle(option.value, isOn)}
          >
            {option.label}
          </Pill>
        ))}
      </div>
      {error === undefined ? null : (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-13 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
