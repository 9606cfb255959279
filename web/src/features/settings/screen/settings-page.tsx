// Settings: one card for each thing that can be set.
import { useIsFetching, useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { usePageTitle } from '../../../lib/page-title.ts';
import { AccountCard } from '../parts/account-card.tsx';
import { ApiKeysCard } from '../parts/api-keys-card.tsx';
import { AppearanceCard, KeyboardCard, NotificationsCard } from '../parts/preference-cards.tsx';

/** `children`: the cards of other features. */
export default function SettingsPage({ children }: { children?: ReactNode }) {
  usePageTitle('Settings');
  const loaded = useListsLoaded();
  return (
    <main className="mx-auto w-full max-w-[44rem] flex-1 px-4 py-8 sm:px-6 sm:py-10">
      <h1 className="mb-6 text-28 font-semibold tracking-[-0.015em]">Settings</h1>
      <div className="flex flex-col gap-4">
        <AccountCard />
        <ApiKeysCard />
        <div className={`flex flex-col gap-4 ${loaded ? '' : 'invisible'}`}>
          {children}
          <AppearanceCard />
          <NotificationsCard />
          <KeyboardCard />
        </div>
      </div>
    </main>
  );
}

const FIRST_TIME = { predicate: ({ state }: Query) => state.status === 'pending' };

// Whether the lists have been fetched: the cards below them are shown only then, so that nothing moves.
function useListsLoaded(): boolean {
  const queries = useQueryClient();
  const coming = useIsFetching(FIRST_TIME);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    // Asked again, because the cards have begun to fetch only after this was drawn first.
    if (queries.isFetching(FIRST_TIME) === 0) setLoaded(true);
  }, [queries, coming]);
  return loaded;
}
