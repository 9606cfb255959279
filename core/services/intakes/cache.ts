// Finds the intake behind a token. It is cached, read again in the background after two seconds
// (stale-while-revalidate, RFC 5861), and dropped at once in every process when the owner changes something.
import { createCache } from '#core/services/cache.ts';
import type { UserRecord } from '#core/domain/account.ts';
import { hashSecret } from '#core/domain/api-key.ts';
import { isShortTokenForm, isTokenForm } from '#core/domain/intake-token.ts';
import { isTokenGood, type IntakeRecord } from '#core/domain/intake.ts';
import type { IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import type { AccountStore } from '#core/ports/account-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { IntakeStore } from '#core/ports/intake-store.ts';

/** How long a cached intake is used without asking the store. */
const FRESH_MS = 2000;
/** How long it is used while the store is being asked, so that a slow store holds up no sender. */
const STALE_MS = 30_000;
const MAX_CACHED = 1000;

interface Parts {
  intakes: IntakeStore;
  accounts: AccountStore;
  /** Whether an account may be used now. */
  mayUse: (user: UserRecord) => boolean;
  bus: EventBus;
  clock: Clock;
  /** Decrypts the secrets of an intake. */
  open: (record: IntakeRecord) => IntakeWithSecrets;
}

interface CachedIntake {
  intake: IntakeWithSecrets;
  /** When the store was asked for it, by the monotonic clock. */
  at: number;
}

export type IntakeCache = ReturnType<typeof createIntakeCache>;

export function createIntakeCache({ intakes, accounts, mayUse, bus, clock, open }: Parts) {
  /** By the token's hash. */
  const cached = createCache<CachedIntake>(MAX_CACHED);
  /** Requests to the store in flight, by the token's hash. */
  const inFlight = new Map<string, Promise<IntakeWithSecrets | null>>();
  const unsubscribe = bus.subscribe((event) => {
    if (event.kind === 'task' || event.kind === 'work') return;
    // A request in flight may be answered with the state before the change.
    inFlight.clear();
    const ownerId = event.kind === 'access' ? event.userId : null;
    for (const [hash, { intake }] of cached)
      if (ownerId === null || intake.ownerId === ownerId) cached.delete(hash);
  });

  function usable(hash: string): CachedIntake | undefined {
    const known = cached.get(hash);
    if (known === undefined || clock.monotonic() >= known.at + STALE_MS) return undefined;
    return isTokenGood(known.intake.tokens, hash, clock.now()) ? known : undefined;
  }

  /** Asks the store, once for all callers at the same time. */
  function ask(hash: string): Promise<IntakeWithSecrets | null> {
    const pending = inFlight.get(hash);
    if (pending !== undefined) return pending;
    const isLatest = () => inFlight.get(hash) === answer;
    const answer: Promise<IntakeWithSecrets | null> = lookUp(hash, isLatest).finally(() => {
      if (isLatest()) inFlight.delete(hash);
    });
    inFlight.set(hash, answer);
    return answer;
  }

  async function lookUp(hash: string, isLatest: () => boolean): Promise<IntakeWithSecrets | null> {
    const at = clock.monotonic();
    const record = await intakes.findByTokenHash(hash, clock.now());
    // A disabled account takes nothing in.
    const owner = record === null ? null : await accounts.getUser(record.ownerId);
    const intake = record === null || owner === null || !mayUse(owner) ? null : open(record);
    if (!isLatest()) return intake;
    if (intake === null) cached.delete(hash);
    else cached.set(hash, { intake, at });
    return intake;
  }

  return {
    /** The intake that a token is good for, or null. Case is ignored, because mail servers change it. */
    async find(token: string): Promise<IntakeWithSecrets | null> {
      if (!isTokenForm(token) && !isShortTokenForm(token)) return null;
      const hash = hashSecret(token.toLowerCase());
      const known = usable(hash);
      if (known !== undefined && clock.monotonic() < known.at + FRESH_MS) return known.intake;
      const asked = ask(hash);
      // While the bus is away, changes of other processes are known to the store alone.
      if (known === undefined || !bus.isConnected()) return asked;
      asked.catch(() => {
        // Thrown to the first caller after STALE_MS, who waits for the store.
      });
      return known.intake;
    },

    close: unsubscribe,
  };
}
