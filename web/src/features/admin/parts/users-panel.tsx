// The users of this server.
import type { Overview } from '#core/contract/index.ts';
import { fullTime } from '../../../lib/time.ts';
import { Panel } from './panel.tsx';

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
