// Rarely needed fields, folded away until they are opened or one of them has a value or an error.
import { useState, type ReactNode } from 'react';

/** `wanted`: something in it is set, or wrong. */
export function Fold({ label, wanted, children }: { label: string; wanted: boolean; children: ReactNode }) {
  const [opened, setOpened] = useState(wanted);
  if (wanted && !opened) setOpened(true);
  return (
    <details open={opened}>
      <summary className="w-fit rounded-sm text-14 text-ink-2 hover:text-ink-1">{label}</summary>
      <div className="mt-3 flex flex-col gap-4">{children}</div>
    </details>
  );
}
