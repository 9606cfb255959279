// One user in the list, with what an administrator can do with the account.
import {
  Ellipsis,
  Link,
  ShieldMinus,
  ShieldPlus,
  UserRoundCheck,
  UserRoundX,
  type LucideIcon,
} from 'lucide-react';
import type { User } from '#core/contract/index.ts';
import { fullTime } from '../../../lib/time.ts';
import { Mark } from '../../../ui/mark.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';

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
      <MenuButton
        menuLabel={`Actions for ${email}`}
        aria-label={`Actions for ${email}`}
        disabled={disabled}
        entries={entriesOf(user, isSelf, onAction)}
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-2 hover:text-ink-1 aria-expanded:bg-surface-2 touch:size-11"
      >
        <Ellipsis size={18} aria-hidden />
      </MenuButton>
    </li>
  );
}

function entriesOf(user: User, isSelf: boolean, onAction: (action: UserAction) => void): MenuEntry[] {
  const entry = (action: UserAction, label: string, Icon: LucideIcon): MenuEntry => ({
    kind: 'item',
    label,
    icon: <Icon size={16} aria-hidden />,
    onSelect: () => onAction(action),
  });
  const link = user.is_active ? [entry('link', 'New sign-in link', Link)] : [];
  // Nobody locks themselves out: the server refuses it, too.
  if (isSelf) return link;
  return [
    ...link,
    user.is_admin
      ? entry('demote', 'Remove administrator', ShieldMinus)
      : entry('promote', 'Make administrator', ShieldPlus),
    user.is_active ? entry('disable', 'Disable', UserRoundX) : entry('enable', 'Enable', UserRoundCheck),
  ];
}
