// One of a few: radio buttons drawn as one bar.
import { useId, type ReactNode } from 'react';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string; icon?: ReactNode }[];
  onChange: (value: T) => void;
  disabled?: boolean;
}

export function Choice<T extends string>({ label, value, options, onChange, disabled }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset disabled={disabled} className="min-w-0">
      <legend className="mb-1.5 text-14 font-medium">{label}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-md bg-surface-2 p-1">
        {options.map((option) => (
          <label
            key={option.value}
            className="relative flex h-9 cursor-pointer items-center justify-center gap-2 rounded-sm px-2 text-14 text-ink-2 transition-colors hover:text-ink-1 has-checked:bg-surface-1 has-checked:font-medium has-checked:text-ink-1 has-checked:shadow-1 has-checked:ring-1 has-checked:ring-line-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="absolute inset-0 cursor-pointer appearance-none rounded-sm outline-none"
            />
            {option.icon}
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
