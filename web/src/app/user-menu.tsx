// The menu of the signed-in person; for a guest the sign-in button.
import { Activity, BookOpen, LogIn, LogOut, UserRound, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { signOut } from '../lib/session/actions.ts';
import { isAdmin, userLabel } from '../lib/session/session.ts';
import { useSession } from '../lib/session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { MenuButton } from '../ui/menu-button.tsx';
import { USER_MENU, UserMenuFace } from './user-menu-face.tsx';

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
  // Until the profile comes, nobody is named. A key has none.
  const label = user === null && method === 'jwt' ? '' : userLabel(user);

  function leave() {
    setLeaving(true);
    void signOut().finally(() => setLeaving(false));
  }

  return (
    <MenuButton
      menuLabel="User menu"
      className={USER_MENU}
      entries={[
        ...(label === '' ? [] : [{ kind: 'note' as const, label }]),
        ...(method === 'jwt' ? [item('View Profile', UserRound, onProfile)] : []),
        item('Docs', BookOpen, () => location.assign('/docs')),
        ...(isAdmin(user) ? [item('System', Activity, () => navigate('/admin/system'))] : []),
        { ...item('Sign Out', LogOut, leave), disabled: leaving },
      ]}
    >
      <UserMenuFace label={label} />
    </MenuButton>
  );
}

function item(label: string, Icon: LucideIcon, onSelect: () => void) {
  return { kind: 'item' as const, label, icon: <Icon size={16} aria-hidden />, onSelect };
}
