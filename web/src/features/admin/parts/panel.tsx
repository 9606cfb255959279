// The frame of one panel of the administrators' page.
import { useId, type ReactNode } from 'react';

export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg border border-line-1 bg-surface-1 p-5">
      <h2 id={id} className="mb-3 text-16 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
