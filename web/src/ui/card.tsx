// The frame of one card of a page: settings, intakes.
import { useId, type ReactNode } from 'react';

interface CardProps {
  title: string;
  description?: ReactNode;
  /** The heading of the page says the title already: here it only names the card for screen readers. */
  bare?: boolean;
  children: ReactNode;
}

export function Card({ title, description, bare = false, children }: CardProps) {
  const id = useId();
  const named = bare ? { 'aria-label': title } : { 'aria-labelledby': id };
  return (
    <section {...named} className="rounded-lg border border-line-1 bg-surface-1 p-5 sm:p-6">
      {bare ? null : (
        <h2 id={id} className={`text-16 font-semibold ${description === undefined ? 'mb-4' : ''}`}>
          {title}
        </h2>
      )}
      {description === undefined ? null : (
        <p className={`mb-4 text-14 text-ink-2 ${bare ? '' : 'mt-0.5'}`}>{description}</p>
      )}
      {children}
    </section>
  );
}
