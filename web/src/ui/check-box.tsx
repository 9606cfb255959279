// A check box with a hint below its label.
import { useId, type ReactNode } from 'react';

interface CheckBoxProps {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

export function CheckBox({ label, hint, checked, disabled, onChange }: CheckBoxProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4.5 shrink-0 accent-accent disabled:opacity-50"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block text-14 font-medium">
          {label}
        </label>
        {hint === undefined ? null : (
          <div id={`${id}-hint`} className="mt-0.5 text-14 text-ink-2">
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}
