// An intake: an address that an owner made for one sender; its deliveries; rules for its tokens and events.
import type { Priority } from '../contract/index.ts';

/** One address of an intake. The newest has no end; older ones are good until their grace is over. */
export interface IntakeToken {
  /** SHA-256 in hex; found by it. */
  readonly hash: string;
  /** The token, encrypted, so that the address can be shown again. */
  readonly encrypted: string;
  /** Good before this moment, in milliseconds; null for ever. */
  readonly until: number | null;
}

/** How a sender proves itself: a scheme of the adapter and its options. Secrets are stored apart. */
export interface Verification {
  readonly scheme: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Liquid templates of the owner's own; each sees the payload. */
export interface Mapping {
  readonly content: string;
  readonly priority?: string;
  readonly tags?: string;
  readonly url?: string;
  readonly dedupeKey?: string;
  /** Only when it comes out as nothing, `false`, `no`, `0` or `ignore` is the delivery ignored. */
  readonly filter?: string;
  /** When it comes out as `true`, `yes` or `1`, the task with the dedupe key is acknowledged instead. */
  readonly resolved?: string;
}

/** What tasks of an intake have where the sender says nothing. Tags are added to the sender's. */
export interface IntakeDefaults {
  readonly priority?: Priority;
  readonly tags?: readonly string[];
  readonly expiryMinutes?: number;
}

/** An intake as it is stored. Times are milliseconds since the epoch, UTC. */
export interface IntakeRecord {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  /** Id of the ingestion adapter. */
  readonly adapter: string;
  /** The newest first, at least one; each may have a short form of its own after it. */
  readonly tokens: readonly IntakeToken[];
  /** Id of a preset of the adapter, or null. */
  readonly preset: string | null;
  readonly verification: Verification;
  /** The verification's secrets by name as JSON, encrypted; null when there are none. */
  readonly encryptedSecrets: string | null;
  /** Until when the previous secret is good, too; null when there is none. Absent in old records. */
  readonly previousSecretUntil?: number | null;
  readonly mapping: Mapping | null;
  /** What the adapter's own settings schema asks for. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly defaults: IntakeDefaults;
  /** Only these event types are taken in; empty for all. `push` also stands for `push.anything`. */
  readonly events: readonly string[];
  /** Whether a repeat of an acknowledged task makes a new one. */
  readonly reopens: boolean;
  /** Deliveries an hour, or null for the limit of all intakes alone. */
  readonly hourlyCap: number | null;
  readonly paused: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/**
 * What is left of an intake once it is revoked, so that its id and its addresses stay taken for a while: who
 * makes and revokes them again and again fills no disk.
 */
export function revokedIntake(intake: IntakeRecord, now: number): IntakeRecord {
  return {
    ...intake,
    verification: { scheme: intake.verification.scheme, options: {} },
    encryptedSecrets: null,
    mapping: null,
    settings: {},
    defaults: {},
    events: [],
    revokedAt: now,
    updatedAt: now,
  };
}

/** An intake from the JSON that a store has. The first versions named what is encrypted `sealed`. */
export function intakeOf(json: string): IntakeRecord {
  const { sealedSecrets, ...record } = JSON.parse(json) as IntakeRecord & { sealedSecrets?: string | null };
  return {
    ...record,
    encryptedSecrets: record.encryptedSecrets ?? sealedSecrets ?? null,
    tokens: record.tokens.map(({ sealed, ...token }: IntakeToken & { sealed?: string }) => ({
      ...token,
      encrypted: token.encrypted ?? sealed,
    })),
  };
}

/** A request as it is stored beside its delivery, to be shown and read again. */
export interface StoredRequest {
  /** Lower-case names; those that carry secrets are left out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** The body, at most 64 KiB; base64 when it is not text. */
  readonly body: string;
  readonly encoding: 'text' | 'base64';
  /** Whether the body was longer; then it can be shown and not read again. */
  readonly clipped: boolean;
}

/**
 * `accepted`: tasks made, repeated or resolved; `duplicate`: it came before; `ignored`: nothing to do
 * (filtered, a ping, an automatic reply); `refused`: not proven, paused, too many; `failed`: could not be
 * read, at most summarised.
 */
export type DeliveryVerdict = 'accepted' | 'duplicate' | 'ignored' | 'refused' | 'failed';

/** One delivery to an intake, as it is stored. */
export interface DeliveryRecord {
  readonly id: string;
  readonly intakeId: string;
  readonly ownerId: string;
  /** In milliseconds. */
  readonly at: number;
  readonly verdict: DeliveryVerdict;
  /** A sentence for the owner, or null. */
  readonly reason: string | null;
  /** Event type that the sender named (`pull_request.opened`), or null. */
  readonly event: string | null;
  readonly taskIds: readonly string[];
  /** Facts worth showing, by name: `spf: pass`. */
  readonly notes: Readonly<Record<string, string>>;
  /** Null when nothing of it may be kept (unproven senders' bodies are). */
  readonly request: StoredRequest | null;
}

/** Former addresses of an intake that stay good, so that changing the address in a loop fills no disk. */
export const MAX_FORMER_ADDRESSES = 10;

/**
 * Adds the tokens of an address, made at `now`: older ones end after `graceMs`, those that ended are dropped,
 * and those of more than {@link MAX_FORMER_ADDRESSES} addresses, the earliest first.
 */
export function rotateTokens(
  tokens: readonly IntakeToken[],
  fresh: readonly IntakeToken[],
  graceMs: number,
  now: number,
): IntakeToken[] {
  const until = now + graceMs;
  const stillGood = tokens
    .map((token) => ({ ...token, until: Math.min(token.until ?? until, until) }))
    .filter((token) => token.until > now);
  return [...fresh, ...stillGood.slice(0, MAX_FORMER_ADDRESSES * fresh.length)];
}

/** Whether the token with this hash is among them and good at `now`. */
export function isTokenGood(tokens: readonly IntakeToken[], hash: string, now: number): boolean {
  return tokens.some((token) => token.hash === hash && (token.until === null || now < token.until));
}

/** Whether the intake wants this event: all when it names none; `push` wants `push` and `push.forced`. */
export function wantsEvent(events: readonly string[], event: string | null): boolean {
  if (events.length === 0 || event === null) return true;
  return events.some((wanted) => event === wanted || event.startsWith(`${wanted}.`));
}
