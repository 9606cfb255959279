// Several of a few, or of many that are found by what is typed: check boxes drawn as pills.
import { useId, useState, type ReactNode } from 'react';
import { FEW, Findable } from './findable.tsx';

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

interface PillOption<T> {
  value: T;
  label: ReactNode;
  name?: string;
}

interface PillsProps<T extends string | number> {
  label: string;
  hint?: string | undefined;
  options: readonly PillOption<T>[];
  chosen: readonly T[];
  onToggle: (value: T, isOn: boolean) => void;
  error?: string | undefined;
  disabled?: boolean;
  /** The name of the field that finds options where there are many: "Find an intake". Of labels of text. */
  find?: string;
}

/** A group of pills with its hint and its error. */
export function Pills<T extends string | number>(props: PillsProps<T>) {
  const { label, hint, options, error, disabled = false, find } = props;
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
      <div className="mt-2">
        {find === undefined ? (
          <PillRow {...props} />
        ) : (
          <Findable
            items={options}
            textOf={({ label: text }) => (typeof text === 'string' ? text : '')}
            label={find}
          >
            {(found) => (
              <FoundPills key={found.map(({ value }) => value).join()} {...props} options={found} />
            )}
          </Findable>
        )}
      </div>
      {error === undefined ? null : (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-13 text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Those that were chosen when these were found come first; none moves when it is pressed. */
function FoundPills<T extends string | number>(props: PillsProps<T>) {
  const { options, chosen } = props;
  const [before] = useState(chosen);
  const isFirst = ({ value }: PillOption<T>) => before.includes(value);
  const ordered = [...options.filter(isFirst), ...options.filter((option) => !isFirst(option))];
  const pills = <PillRow {...props} options={ordered} />;
  // The room of the outlines of those at the edge.
  return options.length > FEW ? <div className="-m-1 max-h-48 overflow-y-auto p-1">{pills}</div> : pills;
}

function PillRow<T extends string | number>({ options, chosen, onToggle, error }: PillsProps<T>) {
  return (
    <div className="flex flex-wrap gap-1.5">
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
  );
}
