// The first section: the account and its API keys. What used to be further down has addresses of its own.
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../../../lib/session/use-session.ts';
import { AccountCard } from '../parts/account-card.tsx';
import { AccountDeletionCard } from '../parts/account-deletion-card.tsx';
import { AccountFileCard } from '../parts/account-file-card.tsx';
import { ApiKeysCard } from '../parts/api-keys-card.tsx';

export default function AccountSection() {
  useOldAddress();
  const { method } = useSession();
  return (
    <>
      <AccountCard />
      <ApiKeysCard />
      {method === 'jwt' ? (
        <>
          <AccountFileCard />
          <AccountDeletionCard />
        </>
      ) : null}
    </>
  );
}

// Messages in Slack that were sent before the sections had addresses lead to `/admin#slack`.
function useOldAddress(): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    if (location.hash === '#slack') navigate('/admin/slack', { replace: true });
  }, [navigate]);
}
