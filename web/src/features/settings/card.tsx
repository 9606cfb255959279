// The frame of one card of the settings.
import { useId, type ReactNode } from 'react';

interface CardProps {
  title: string;
  children: ReactNode;
}

export function Card({ title, children }: CardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line-1 bg-surface-1 p-5 sm:p-6">
      <h2 id={id} className="mb-4 text-16 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
