// Workspaces that installed the app, and their bot tokens.
import { LRUCache } from 'lru-cache';
import { createEncryptedRecords, type RecordContext } from './encrypted-records.ts';
import { keyOf, LINK_KINDS, SLACK } from './link-records.ts';

/** Tokens are cached for this long. */
const TOKEN_TTL_MS = 30_000;
const MAX_CACHED_TOKENS = 1000;
/** What Slack says of a token is stored again after so long: other processes store it, too. */
const NOTED_EVERY_MS = 10 * 60_000;
/** Nobody has asked Slack for longer than that. */
const REFUSED_TTL_MS = 7 * 24 * 60 * 60_000;

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

/** Whether Slack refused the app in this workspace, as far as it was asked. */
export async function isRefused(
  { store, clock }: Pick<RecordContext, 'store' | 'clock'>,
  teamId: string,
): Promise<boolean> {
  return (await store.get(keyOf(LINK_KINDS.refused, teamId), clock.now())) !== null;
}

/** `botToken` is for the workspaces that did not install the app by themselves. */
export function createInstallations(context: RecordContext, botToken: string | null) {
  const { store, clock } = context;
  const installations = createEncryptedRecords<Installation>(context, LINK_KINDS.install);
  const cache = new LRUCache<string, { token: string | null; expiresAt: number }>({ max: MAX_CACHED_TOKENS });

  const noted = new LRUCache<string, { isGood: boolean; until: number }>({ max: MAX_CACHED_TOKENS });

  /** Stores whether Slack takes the token of a workspace, for Settings. */
  async function noteToken(teamId: string, isGood: boolean): Promise<void> {
    const known = noted.get(teamId);
    const now = clock.monotonic();
    if (known !== undefined && known.isGood === isGood && now < known.until) return;
    noted.set(teamId, { isGood, until: now + NOTED_EVERY_MS });
    const key = keyOf(LINK_KINDS.refused, teamId);
    if (isGood) await store.remove(key);
    else await store.put({ ...key, ownerId: null, value: '{}', expiresAt: clock.now() + REFUSED_TTL_MS });
  }

  return {
    noteToken,
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
      await noteToken(installation.teamId, true);
    },
    /** Removes what was installed before `at`, in milliseconds: Slack may say late that it was removed. */
    async uninstall(teamId: string, at: number): Promise<void> {
      const { installedAt = 0 } = (await installations.get(teamId)) ?? {};
      if (installedAt > at) return;
      await store.remove(keyOf(LINK_KINDS.install, teamId));
      cache.delete(teamId);
      await noteToken(teamId, false);
    },

    /** Stores the state of an installation that begins (OAuth 2.0), by its hash. */
    storeState: (hash: string, ttlMs: number): Promise<void> =>
      store.put({ ...keyOf('state', hash), ownerId: null, value: '{}', expiresAt: clock.now() + ttlMs }),
    /** Whether the state was stored; true once. */
    takeState: async (hash: string): Promise<boolean> =>
      (await store.take(keyOf('state', hash), clock.now())) !== null,
  };
}
