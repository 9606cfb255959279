// What the adapter remembers: who is linked to whom, installations, where a task was confirmed, which task a message became. Over the
// adapter store; whatever opens a door (tokens, response URLs) is sealed first.
import { accountKey, codeKey, LINK_KINDS, SLACK, type LinkedAccount } from './link-records.ts';
import type { AdapterContext } from '#core/ports/adapter/context.ts';
import type { MessagePlace, Person } from './who.ts';

/** As long as a task can live without being pinned. */
const TASK_TTL_MS = 7 * 24 * 60 * 60_000;
/** What a `response_url` is good for, by Slack's rules. */
const URL_TTL_MS = 30 * 60_000;
const URL_USES = 5;
/** How long a token is believed without asking the store. */
const BELIEF_MS = 30_000;
const MAX_TASKS_OF_MESSAGE = 5;

/** A workspace that installed the app. */
export interface Installation {
  teamId: string;
  teamName: string | null;
  botToken: string;
}

/** Where the confirmation of a task stands, and how it can be changed. */
export type Place =
  /** Only seen by one person; changed through a URL that wears out. `until` in milliseconds. */
  | { kind: 'url'; url: string; until: number; uses: number }
  | { kind: 'message'; channelId: string; ts: string };

export interface Confirmation {
  teamId: string;
  place: Place;
}

export type Memory = ReturnType<typeof createMemory>;

/** A place that was just answered in through this URL. */
export function placeOfUrl(url: string, now: number): Place {
  return { kind: 'url', url, until: now + URL_TTL_MS, uses: URL_USES - 1 };
}

export function createMemory(
  { store, encryption, clock }: Pick<AdapterContext, 'store' | 'encryption' | 'clock'>,
  botToken: string | null,
) {
  const believed = new Map<string, { token: string | null; until: number }>();
  const keyOf = (kind: string, key: string) => ({ adapter: SLACK, kind, key });
  const purpose = (kind: string, key: string) => `${SLACK}:${kind}:${key}`;

  async function getSealed<T>(kind: string, key: string): Promise<T | null> {
    const record = await store.get(keyOf(kind, key), clock.now());
    const opened = record === null ? null : encryption.decrypt(record.value, purpose(kind, key));
    return opened === null ? null : (JSON.parse(opened) as T);
  }
  function putSealed(kind: string, key: string, value: unknown, expiresAt: number | null): Promise<void> {
    const sealed = encryption.encrypt(JSON.stringify(value), purpose(kind, key));
    return store.put({ ...keyOf(kind, key), ownerId: null, value: sealed, expiresAt });
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

    /** Uses a code up. Whether the person is linked now; the same request sent again is answered as the first time. */
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

    /** The bot token for a workspace, or null. */
    async tokenOf(teamId: string): Promise<string | null> {
      const known = believed.get(teamId);
      if (known !== undefined && clock.monotonic() < known.until) return known.token;
      const installed = await getSealed<Installation>(LINK_KINDS.install, teamId);
      const token = installed?.botToken ?? botToken;
      if (believed.size > 1000) believed.clear();
      believed.set(teamId, { token, until: clock.monotonic() + BELIEF_MS });
      return token;
    },
    async install(installation: Installation): Promise<void> {
      await putSealed(LINK_KINDS.install, installation.teamId, installation, null);
      believed.delete(installation.teamId);
    },
    async uninstall(teamId: string): Promise<void> {
      await store.remove(keyOf(LINK_KINDS.install, teamId));
      believed.delete(teamId);
    },

    confirmationOf: (taskId: string) => getSealed<Confirmation>('confirmation', taskId),
    confirm: (taskId: string, confirmation: Confirmation): Promise<void> =>
      putSealed(
        'confirmation',
        taskId,
        confirmation,
        confirmation.place.kind === 'url' ? confirmation.place.until : clock.now() + TASK_TTL_MS,
      ),

    /** Ids of the tasks that a message became for an owner, the latest first. */
    async tasksOf(ownerId: string, place: MessagePlace): Promise<string[]> {
      const record = await store.get(keyOf('message', messageKey(ownerId, place)), clock.now());
      return record === null ? [] : (JSON.parse(record.value) as string[]);
    },
    async becameTask(ownerId: string, place: MessagePlace, taskId: string): Promise<void> {
      const ids = [taskId, ...(await this.tasksOf(ownerId, place)).filter((id) => id !== taskId)];
      await store.put({
        ...keyOf('message', messageKey(ownerId, place)),
        ownerId,
        value: JSON.stringify(ids.slice(0, MAX_TASKS_OF_MESSAGE)),
        expiresAt: clock.now() + TASK_TTL_MS,
      });
    },

    /** A one-time word for a way out and back in; `ttlMs` from now. */
    keepOnce: (kind: string, key: string, ttlMs: number): Promise<void> =>
      store.put({ ...keyOf(kind, key), ownerId: null, value: '{}', expiresAt: clock.now() + ttlMs }),
    takeOnce: async (kind: string, key: string): Promise<boolean> =>
      (await store.take(keyOf(kind, key), clock.now())) !== null,
  };
}

function messageKey(ownerId: string, { teamId, channelId, ts }: MessagePlace): string {
  return `${teamId}:${channelId}:${ts}:${ownerId}`;
}
