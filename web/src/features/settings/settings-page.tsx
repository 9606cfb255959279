// Settings: one card for each thing that can be set.
import type { ReactNode } from 'react';
import { usePageTitle } from '../../lib/page-title.ts';
import { AccountCard } from './account-card.tsx';
import { ApiKeysCard } from './api-keys-card.tsx';
import { AppearanceCard } from './appearance-card.tsx';
import { KeyboardCard } from './keyboard-card.tsx';
import { NotificationsCard } from './notifications-card.tsx';

/** `children`: the cards of other features. */
export default function SettingsPage({ children }: { children?: ReactNode }) {
  usePageTitle('Settings');
  return (
    <main className="mx-auto w-full max-w-[44rem] flex-1 px-4 py-8 sm:px-6 sm:py-10">
      <h1 className="mb-6 text-28 font-semibold tracking-[-0.015em]">Settings</h1>
      <div className="flex flex-col gap-4">
        <AccountCard />
        <ApiKeysCard />
        {children}
        <AppearanceCard />
        <NotificationsCard />
        <KeyboardCard />
      </div>
    </main>
  );
}
