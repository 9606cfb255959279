// The frame of the panels of the administrators' page, and those that only show.
import { CircleCheck, CircleX } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import type { Overview, PartState } from '#core/contract/index.ts';
import { fullTime } from '../../../lib/time.ts';

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

export function UsersPanel({ users }: Pick<Overview, 'users'>) {
  return (
    <Panel title="Users">
      <ul className="divide-y divide-line-1">
        {users.map(({ id, email, name, is_admin: admin, is_active: active, last_login: lastLogin }) => (
          <li
            key={id}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 py-2.5 text-14 first:pt-0 last:pb-0"
          >
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
              <span className="font-medium">{email}</span>
              {name === '' || name === email ? null : <span className="ml-2 text-ink-2">{name}</span>}
            </span>
            {admin ? <Mark text="Administrator" className="bg-accent-soft text-accent" /> : null}
            {active ? null : <Mark text="Inactive" className="bg-surface-3 text-ink-2" />}
            <span className="text-13 text-ink-3">
              {lastLogin === null ? 'Never signed in' : `Signed in ${fullTime(lastLogin)}`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Mark({ text, className }: { text: string; className: string }) {
  return <span className={`rounded-full px-2.5 py-0.5 text-13 font-medium ${className}`}>{text}</span>;
}
