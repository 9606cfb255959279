// Linked accounts and tied channels of Slack, for Settings and for the listeners.
import type { AdapterKey, AdapterRecord } from '#core/domain/adapter-record.ts';
import { invalid, QinboxError } from '#core/errors.ts';
import type { RouteContext } from '#core/ports/adapter/routes.ts';
import { LINK_CODE_TTL_MS } from '../contract.ts';
import { onlyTeam } from './installations.ts';
import type { Person } from '../payloads.ts';
import type { RecordContext } from './encrypted-records.ts';
import {
  accountKey,
  channelIdOf,
  codeKey,
  createLinkCode,
  keyOf,
  LINK_KINDS,
  SLACK,
  teamIdOf,
  type LinkedAccount,
  type TiedChannel,
} from './link-records.ts';

/** The value of a code. */
interface ReservedCode {
  /** The key of the person who has begun to use it. */
  by?: string;
}

/** A linked account with its key in the store. */
export type StoredAccount = LinkedAccount & { id: string };
/** A channel with the e-mail address of the owner of its tasks; null when that user is gone. */
export type StoredChannel = TiedChannel & { ownerEmail: string | null };

/** An owner's own accounts and channels. */
export function createPlaces({ store, clock }: Pick<RouteContext, 'store' | 'clock'>) {
  return {
    accountsOf: async (ownerId: string): Promise<StoredAccount[]> => {
      const records = await store.list(SLACK, LINK_KINDS.account, clock.now(), ownerId);
      return records.map((record) => ({ ...(JSON.parse(record.value) as LinkedAccount), id: record.key }));
    },

    /** Those whose tasks go to the owner. */
    channelsOf: async (ownerId: string): Promise<TiedChannel[]> => {
      const records = await store.list(SLACK, LINK_KINDS.channel, clock.now(), ownerId);
      return records.map(({ value }) => JSON.parse(value) as TiedChannel);
    },
  };
}

export function createAccountLinks(
  context: Pick<RouteContext, 'store' | 'users' | 'clock'>,
  hasBotToken: boolean,
) {
  const { store, users, clock } = context;
  const { accountsOf } = createPlaces(context);
  return {
    accountsOf,

    /** A code that links who types it in Slack to this owner: once, within 10 minutes. Ends earlier ones. */
    async createCode(ownerId: string): Promise<{ code: string; expiresAt: number }> {
      const now = clock.now();
      const earlier = await store.list(SLACK, LINK_KINDS.code, now, ownerId);
      await Promise.all(earlier.map(({ key }) => store.remove(keyOf(LINK_KINDS.code, key))));
      const code = createLinkCode();
      const expiresAt = now + LINK_CODE_TTL_MS;
      await store.put({
        ...keyOf(LINK_KINDS.code, codeKey(code) as string),
        ownerId,
        value: '{}',
        expiresAt,
      });
      return { code, expiresAt };
    },

    /** Ends a code that was not used. */
    async removeCode(ownerId: string, code: string): Promise<void> {
      const key = codeKey(code);
      if (key !== null) await store.remove(keyOf(LINK_KINDS.code, key), ownerId);
    },

    /** NOT_FOUND when it is not an account of this owner. */
    async unlink(ownerId: string, id: string): Promise<void> {
      if (!(await store.remove(keyOf(LINK_KINDS.account, id), ownerId)))
        throw new QinboxError('NOT_FOUND', 'This Slack account is not linked. It may have been unlinked.');
    },

    async channels(): Promise<StoredChannel[]> {
      const [records, emails] = await Promise.all([
        store.list(SLACK, LINK_KINDS.channel, clock.now()),
        users.emails(),
      ]);
      return records.map((record) => ({
        ...(JSON.parse(record.value) as TiedChannel),
        ownerEmail: emails.get(record.ownerId ?? '') ?? null,
      }));
    },

    /** Sends the tasks of a channel to the owner with this e-mail address. Throws VALIDATION_ERROR. */
    async tie(input: { channel: string; name?: string; owner: string }): Promise<StoredChannel> {
      const channelId = channelIdOf(input.channel);
      if (channelId === null)
        throw invalid([
          { field: 'channel', message: 'must be the id of a channel, such as C0123ABCD, or its link' },
        ]);
      const user = await users.find(input.owner);
      if (user === null)
        throw invalid([{ field: 'owner', message: 'must be the e-mail address of somebody here' }]);
      const name = input.name?.trim().replace(/^#/, '') ?? '';
      // Further workspaces may come, and a channel's id does not say whose it is.
      const teamId = teamIdOf(input.channel) ?? (await onlyTeam({ store, clock }, hasBotToken));
      const channel: TiedChannel = {
        channelId,
        name: name === '' ? null : name,
        teamId,
        tiedAt: clock.now(),
      };
      await store.put({
        ...keyOf(LINK_KINDS.channel, channelId),
        ownerId: user.id,
        value: JSON.stringify(channel),
        expiresAt: null,
      });
      return { ...channel, ownerEmail: user.email };
    },

    /** NOT_FOUND when the channel is not tied. */
    async untie(channelId: string): Promise<void> {
      if (!(await store.remove(keyOf(LINK_KINDS.channel, channelId))))
        throw new QinboxError('NOT_FOUND', 'The tasks of this channel go to nobody in particular already.');
    },
  };
}

/** Who in Slack is which owner, for the listeners. */
export function createLinkedAccounts({ store, clock }: Pick<RecordContext, 'store' | 'clock'>) {
  const userOfCode = (record: AdapterRecord) => (JSON.parse(record.value) as ReservedCode).by;

  /** The code, if it is this person's from now on; null for one that is not there, or is another's. */
  async function reserve(code: AdapterKey, person: string, now: number): Promise<AdapterRecord | null> {
    const record = await store.get(code, now);
    if (record === null) return null;
    const value = JSON.stringify({ by: person } satisfies ReservedCode);
    if (userOfCode(record) === undefined && (await store.replace(record, value, now))) return record;
    // Somebody was first: another person, or the same one before or at the same time.
    const reserved = await store.get(code, now);
    return reserved !== null && userOfCode(reserved) === person ? reserved : null;
  }

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

    /**
     * Uses a code up and links its owner; false for a wrong code. A repeat is answered as the first time.
     * The code becomes this person's first: it stays good for them when the store fails before they are
     * linked.
     */
    async link(typed: string, account: Omit<LinkedAccount, 'linkedAt'>): Promise<boolean> {
      const now = clock.now();
      const key = accountKey(account.teamId, account.userId);
      const code = codeKey(typed);
      const found = code === null ? null : await reserve(keyOf(LINK_KINDS.code, code), key, now);
      if (found === null) {
        const known = await store.get(keyOf(LINK_KINDS.account, key), now);
        return known !== null && (JSON.parse(known.value) as LinkedAccount).request === account.request;
      }
      const value = JSON.stringify({ ...account, linkedAt: now } satisfies LinkedAccount);
      await store.put({ ...keyOf(LINK_KINDS.account, key), ownerId: found.ownerId, value, expiresAt: null });
      await store.remove(found);
      return true;
    },

    /** Whether the person was linked. */
    unlink: ({ teamId, userId }: Person): Promise<boolean> =>
      store.remove(keyOf(LINK_KINDS.account, accountKey(teamId, userId))),
  };
}
