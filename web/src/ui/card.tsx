// The frame of one card of a page: settings, intakes.
import { useId, type ReactNode } from 'react';

interface CardProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

export function Card({ title, description, children }: CardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line-1 bg-surface-1 p-5 sm:p-6">
      <h2 id={id} className={`text-16 font-semibold ${description === undefined ? 'mb-4' : ''}`}>
        {title}
      </h2>
      {description === undefined ? null : <p className="mt-0.5 mb-4 text-14 text-ink-2">{description}</p>}
      {children}
    </section>
  );
}
