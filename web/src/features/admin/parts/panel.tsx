// The frame of the panels of the system section, and the one that only shows.
import { CircleCheck, CircleX } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import type { PartState } from '#core/contract/index.ts';

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

/** Whether store, queue and the rest answer: a mark and a word for each, never a colour alone. */
export function PartStates({ parts }: { parts: readonly PartState[] }) {
  return (
    <ul className="divide-y divide-line-1">
      {parts.map(({ name, ok, detail }) => (
        <li key={name} className="flex items-start gap-2.5 py-2 text-14 first:pt-0 last:pb-0">
          {ok ? (
            <CircleCheck size={18} aria-hidden className="mt-px shrink-0 text-ok" />
          ) : (
            <CircleX size={18} aria-hidden className="mt-px shrink-0 text-danger" />
          )}
          <span className="min-w-0 flex-1">
            <span className="font-medium">{name}</span>
            {detail === undefined ? null : (
              <span className="block text-13 wrap-anywhere text-ink-2">{detail}</span>
            )}
          </span>
          <span className={ok ? 'text-ink-2' : 'font-medium text-danger'}>
            {ok ? 'Works' : 'Does not answer'}
          </span>
        </li>
      ))}
    </ul>
  );
}
