// Workspaces that installed the app, and their bot tokens.
import { LRUCache } from 'lru-cache';
import { createEncryptedRecords, type RecordContext } from './encrypted-records.ts';
import { keyOf, LINK_KINDS, SLACK } from './link-records.ts';

/** Tokens are cached for this long. */
const TOKEN_TTL_MS = 30_000;
const MAX_CACHED_TOKENS = 1000;

/** A workspace that installed the app. */
export interface Installation {
  teamId: string;
  teamName: string | null;
  botToken: string;
  /** In milliseconds. */
  installedAt?: number;
}

/** The workspace, where there is one alone: empty for that of a configured bot token. */
export async function onlyTeam(
  { store, clock }: Pick<RecordContext, 'store' | 'clock'>,
  hasBotToken: boolean,
): Promise<string | null> {
  const installed = await store.list(SLACK, LINK_KINDS.install, clock.now());
  const teams = [...(hasBotToken ? [''] : []), ...installed.map(({ key }) => key)];
  return teams.length === 1 ? (teams[0] ?? null) : null;
}

/** `botToken` is for the workspaces that did not install the app by themselves. */
export function createInstallations(context: RecordContext, botToken: string | null) {
  const { store, clock } = context;
  const installations = createEncryptedRecords<Installation>(context, LINK_KINDS.install);
  const cache = new LRUCache<string, { token: string | null; expiresAt: number }>({ max: MAX_CACHED_TOKENS });

  return {
    /** The bot token for a workspace, or null. */
    async tokenOf(teamId: string): Promise<string | null> {
      const cached = cache.get(teamId);
      if (cached !== undefined && clock.monotonic() < cached.expiresAt) return cached.token;
      const token = (await installations.get(teamId))?.botToken ?? botToken;
      cache.set(teamId, { token, expiresAt: clock.monotonic() + TOKEN_TTL_MS });
      return token;
    },
    /** The workspace, where there is one alone; its token is that of {@link tokenOf}. */
    onlyTeam: (): Promise<string | null> => onlyTeam({ store, clock }, botToken !== null),
    async install(installation: Omit<Installation, 'installedAt'>): Promise<void> {
      await installations.put(installation.teamId, { ...installation, installedAt: clock.now() }, null);
      cache.delete(installation.teamId);
    },
    /** Removes what was installed before `at`, in milliseconds: Slack may say late that it was removed. */
    async uninstall(teamId: string, at: number): Promise<void> {
      const { installedAt = 0 } = (await installations.get(teamId)) ?? {};
      if (installedAt > at) return;
      await store.remove(keyOf(LINK_KINDS.install, teamId));
      cache.delete(teamId);
    },

    /** Stores the state of an installation that begins (OAuth 2.0), by its hash. */
    storeState: (hash: string, ttlMs: number): Promise<void> =>
      store.put({ ...keyOf('state', hash), ownerId: null, value: '{}', expiresAt: clock.now() + ttlMs }),
    /** Whether the state was stored; true once. */
    takeState: async (hash: string): Promise<boolean> =>
      (await store.take(keyOf('state', hash), clock.now())) !== null,
  };
}
