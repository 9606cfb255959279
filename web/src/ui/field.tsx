// A labelled field: its hint and its error belong to it, for eyes and for screen readers.
import { useId, type ComponentProps, type ReactNode } from 'react';

export const INPUT =
  'w-full touch:min-h-11 rounded-sm border border-line-2 bg-surface-1 px-3 text-14 text-ink-1 transition-colors hover:border-ink-3 disabled:opacity-60 aria-invalid:border-danger';

interface LabelProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

interface FieldProps extends LabelProps {
  /** Draws the control with the attributes that tie it to its label, hint and error. */
  children: (control: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
}

export function Field({ label, hint = null, error, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint !== null && hintId].filter(Boolean).join(' ');
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-14 font-medium">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error ? true : undefined,
      })}
      {error ? (
        <p id={errorId} role="alert" className="text-13 text-danger">
          {error}
        </p>
      ) : null}
      {hint === null ? null : (
        <p id={hintId} className="text-13 text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}

interface ControlProps extends LabelProps {
  value: string;
  onChange: (value: string) => void;
}

interface TextFieldProps extends ControlProps, Omit<ComponentProps<'input'>, keyof ControlProps> {
  /** Beside the input: its button. */
  after?: ReactNode;
}

/** A field of one line. */
export function TextField({
  label,
  hint,
  error,
  onChange,
  after,
  className = 'h-10',
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => {
        const input = (
          <input
            autoComplete="off"
            {...rest}
            {...control}
            onChange={(event) => onChange(event.target.value)}
            className={`${INPUT} ${className}`}
          />
        );
        return after === undefined ? (
          input
        ) : (
          <div className="flex flex-wrap gap-2">
            {input}
            {after}
          </div>
        );
      }}
    </Field>
  );
}

interface SelectFieldProps extends ControlProps, Omit<ComponentProps<'select'>, keyof ControlProps> {
  options: readonly { value: string; label: string }[];
}

/** A field that takes one of several values. */
export function SelectField({ label, hint, error, onChange, options, ...rest }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <select
          {...rest}
          {...control}
          onChange={(event) => onChange(event.target.value)}
          className={`${INPUT} h-10`}
        >
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
