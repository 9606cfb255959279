// A check box with a hint below its label. All of it can be tapped.
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
    <label className="flex items-start gap-3 touch:min-h-11">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4.5 shrink-0 accent-accent disabled:opacity-50"
      />
      <span className="min-w-0">
        <span id={`${id}-label`} className="block text-14 font-medium">
          {label}
        </span>
        {hint === undefined ? null : (
          <span id={`${id}-hint`} className="mt-0.5 block text-14 text-ink-2">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
