// One user in the list, with what an administrator can do with the account.
import { Link, ShieldMinus, ShieldPlus, UserRoundCheck, UserRoundX, type LucideIcon } from 'lucide-react';
import type { User } from '#core/contract/index.ts';
import { fullTime } from '../../../lib/time.ts';
import { Mark } from '../../../ui/mark.tsx';
import { RowMenu } from '../../../ui/row-menu.tsx';

/** What can be done with a user. */
export type UserAction = 'link' | 'disable' | 'enable' | 'promote' | 'demote';

interface UserRowProps {
  user: User;
  isSelf: boolean;
  disabled: boolean;
  onAction: (action: UserAction) => void;
}

export function UserRow({ user, isSelf, disabled, onAction }: UserRowProps) {
  const { email, name, is_admin: admin, is_active: active, last_login: lastLogin } = user;
  return (
    <li className="flex items-start gap-x-3 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-14">
          <span className={`font-medium wrap-anywhere ${active ? '' : 'text-ink-2'}`}>{email}</span>
          {isSelf ? <Mark text="You" className="bg-surface-3 text-ink-2" /> : null}
          {admin ? <Mark text="Administrator" className="bg-accent-soft text-accent" /> : null}
          {active ? null : <Mark text="Disabled" className="bg-warn-soft text-warn" />}
          {user.email_verified ? null : <Mark text="Not proven" className="bg-warn-soft text-warn" />}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-13 text-ink-3">
          {name === '' || name === email ? null : <span className="wrap-anywhere">{name}</span>}
          <span>{lastLogin === null ? 'Never signed in' : `Last sign-in ${fullTime(lastLogin)}`}</span>
        </p>
      </div>
      <RowMenu name={email} disabled={disabled} entries={entriesOf(user, isSelf)} onAction={onAction} />
    </li>
  );
}

type Entry = [UserAction, string, LucideIcon];

function entriesOf(user: User, isSelf: boolean): Entry[] {
  const link: Entry[] = user.is_active ? [['link', 'New sign-in link', Link]] : [];
  // Nobody locks themselves out: the server refuses it, too.
  if (isSelf) return link;
  return [
    ...link,
    user.is_admin
      ? ['demote', 'Remove administrator', ShieldMinus]
      : ['promote', 'Make administrator', ShieldPlus],
    user.is_active ? ['disable', 'Disable', UserRoundX] : ['enable', 'Enable', UserRoundCheck],
  ];
}
