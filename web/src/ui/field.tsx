// A labelled field: its hint and its error belong to it, for eyes and for screen readers.
import { useId, type ReactNode } from 'react';

export const INPUT =
  'w-full rounded-sm border border-line-2 bg-surface-1 px-3 text-14 text-ink-1 transition-colors hover:border-ink-3 disabled:opacity-60 aria-invalid:border-danger';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Draws the control with the attributes that tie it to its label, hint and error. */
  children: (control: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
  }) => ReactNode;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint !== undefined && hintId].filter(Boolean).join(' ');
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
      {hint === undefined ? null : (
        <p id={hintId} className="text-13 text-ink-3">
          {hint}
        </p>
      )}
    </div>
  );
}
