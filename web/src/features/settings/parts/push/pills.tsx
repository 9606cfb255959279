// Several of a few: check boxes drawn as pills.
import type { ReactNode } from 'react';

interface PillsProps<T extends string | number> {
  label: string;
  hint?: string | undefined;
  options: readonly { value: T; label: ReactNode; name?: string }[];
  chosen: readonly T[];
  onToggle: (value: T, isOn: boolean) => void;
  error?: string | undefined;
}

export function Pills<T extends string | number>({
  label,
  hint,
  options,
  chosen,
  onToggle,
  error,
}: PillsProps<T>) {
  return (
    <fieldset className="min-w-0">
      <legend className="text-14 font-medium">{label}</legend>
      {hint === undefined ? null : <p className="mt-0.5 text-13 text-ink-3">{hint}</p>}
      <div className="mt-2 flex flex-wrap gap-1.5">
        {options.map((option) => (
          <label
            key={option.value}
            className="relative inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-full border border-line-1 px-3.5 text-14 wrap-anywhere text-ink-2 transition-colors hover:border-line-2 has-checked:border-accent has-checked:bg-accent-soft has-checked:text-ink-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus touch:min-h-11 touch:min-w-11 touch:justify-center"
          >
            <input
              type="checkbox"
              aria-label={option.name}
              checked={chosen.includes(option.value)}
              onChange={({ target }) => onToggle(option.value, target.checked)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-full outline-none"
            />
            {option.label}
          </label>
        ))}
      </div>
      {error === undefined ? null : (
        <p role="alert" className="mt-1.5 text-13 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
