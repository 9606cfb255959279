// The menu of the signed-in person; for a guest the sign-in button.
import { Activity, BookOpen, ChevronDown, LogIn, LogOut, UserRound, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { signOut } from '../lib/session/actions.ts';
import { isAdmin, userLabel } from '../lib/session/session.ts';
import { useSession } from '../lib/session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu-button.tsx';

export function UserMenu({ onSignIn, onProfile }: { onSignIn: () => void; onProfile: () => void }) {
  const [, navigate] = useLocation();
  const { authenticated, method, user } = useSession();
  const [leaving, setLeaving] = useState(false);
  if (!authenticated) {
    return (
      <Button onClick={onSignIn}>
        <LogIn size={16} aria-hidden />
        Sign In
      </Button>
    );
  }
  const label = userLabel(user);

  function leave() {
    setLeaving(true);
    void signOut().finally(() => setLeaving(false));
  }

  return (
    <MenuButton
      menuLabel="User"
      className="inline-flex h-9 touch:h-11 max-w-60 min-w-9 touch:min-w-11 touch:justify-center items-center gap-2 rounded-sm pr-1.5 pl-1 text-14 text-ink-2 transition-colors hover:bg-surface-2 hover:text-ink-1 aria-expanded:bg-surface-2"
      entries={[
        { kind: 'note', label },
        ...(method === 'jwt' ? [item('View Profile', UserRound, onProfile)] : []),
        item('Docs', BookOpen, () => location.assign('/docs')),
        ...(isAdmin(user) ? [item('System', Activity, () => navigate('/admin/system'))] : []),
        { ...item('Sign Out', LogOut, leave), disabled: leaving },
      ]}
    >
      <span
        aria-hidden
        className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-13 font-semibold text-accent uppercase"
      >
        {label.charAt(0)}
      </span>
      <span className="sr-only">User menu: {label}</span>
      <span aria-hidden className="min-w-0 truncate max-lg:hidden">
        {label}
      </span>
      <ChevronDown size={14} aria-hidden className="shrink-0 max-[24rem]:hidden" />
    </MenuButton>
  );
}

function item(label: string, Icon: LucideIcon, onSelect: () => void) {
  return { kind: 'item' as const, label, icon: <Icon size={16} aria-hidden />, onSelect };
}
