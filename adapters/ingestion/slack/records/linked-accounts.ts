// Who in Slack is which owner, for the listeners; account-links.ts does the same for Settings.
import { keyOf, type RecordContext } from './encrypted-records.ts';
import { accountKey, codeKey, LINK_KINDS, type LinkedAccount } from './link-records.ts';
import type { Person } from '../payloads.ts';

export function createLinkedAccounts({ store, clock }: Pick<RecordContext, 'store' | 'clock'>) {
  return {
    /** The owner that a person is linked to, or null. */
    async ownerOf({ teamId, userId }: Person): Promise<string | null> {
      const record = await store.get(keyOf(LINK_KINDS.account, accountKey(teamId, userId)), clock.now());
      return record?.ownerId ?? null;
    },

    /** The owner that a channel's tasks go to, or null. */
    async ownerOfChannel(channelId: string): Promise<string | null> {
      const record = await store.get(keyOf(LINK_KINDS.channel, channelId), clock.now());
      return record?.ownerId ?? null;
    },

    /** Uses a code up and links its owner; false for a wrong code. A repeat is answered as the first time. */
    async link(typed: string, account: Omit<LinkedAccount, 'linkedAt'>): Promise<boolean> {
      const now = clock.now();
      const key = accountKey(account.teamId, account.userId);
      const code = codeKey(typed);
      const used = code === null ? null : await store.take(keyOf(LINK_KINDS.code, code), now);
      if (used === null) {
        const known = await store.get(keyOf(LINK_KINDS.account, key), now);
        return known !== null && (JSON.parse(known.value) as LinkedAccount).request === account.request;
      }
      const value = JSON.stringify({ ...account, linkedAt: now } satisfies LinkedAccount);
      await store.put({ ...keyOf(LINK_KINDS.account, key), ownerId: used.ownerId, value, expiresAt: null });
      return true;
    },

    /** Whether the person was linked. */
    unlink: ({ teamId, userId }: Person): Promise<boolean> =>
      store.remove(keyOf(LINK_KINDS.account, accountKey(teamId, userId))),
  };
}
