// One of a few: radio buttons drawn as one bar.
import { useId, type ReactNode } from 'react';

interface RadioTileProps {
  /** Of the group. */
  name: string;
  value: string;
  checked: boolean;
  onChoose: () => void;
  className: string;
  children: ReactNode;
}

/** A radio button that fills its label. */
export function RadioTile({ name, value, checked, onChoose, className, children }: RadioTileProps) {
  return (
    <label
      className={`relative flex cursor-pointer items-center justify-center rounded-sm text-14 text-ink-2 has-checked:font-medium has-checked:text-ink-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus ${className}`}
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={checked}
        onChange={onChoose}
        className="absolute inset-0 cursor-pointer appearance-none rounded-sm outline-none"
      />
      {children}
    </label>
  );
}

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
      <div className="flex flex-wrap gap-1 rounded-md bg-surface-2 p-1">
        {options.map((option) => (
          <RadioTile
            key={option.value}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChoose={() => onChange(option.value)}
            className="h-9 min-w-max flex-1 basis-0 gap-2 px-2 transition-colors hover:text-ink-1 has-checked:bg-raised has-checked:shadow-1 has-checked:ring-1 has-checked:ring-line-1"
          >
            {option.icon}
            {option.label}
          </RadioTile>
        ))}
      </div>
    </fieldset>
  );
}
