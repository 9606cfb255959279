// Finds the intake behind a token and opens its secrets, quickly: what was found is remembered, asked for again beside the work when
// it is older than two seconds (stale-while-revalidate, RFC 5861), and forgotten at once in every process when the owner changes something.
import { LRUCache } from 'lru-cache';
import type { UserRecord } from '../domain/account.ts';
import { hashSecret } from '../domain/api-key.ts';
import { isTokenForm } from '../domain/intake-token.ts';
import { isTokenGood, type IntakeRecord } from '../domain/intake.ts';
import {
  PREVIOUS_SECRET,
  previousSecretEnd,
  secretsAt,
  type TimedSecrets,
} from '../domain/intake-secrets.ts';
import type { IntakeWithSecrets } from '../ports/adapter/intake.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { IntakeStore } from '../ports/intake-store.ts';
import type { Encryption } from './encryption.ts';

/** How long what was found is used without a thought. */
const FRESH_MS = 2000;
/** How long it is used while the store is being asked again, so that a store that is slow holds up no sender. */
const STALE_MS = 30_000;
const MAX_REMEMBERED = 1000;

interface Parts {
  intakes: IntakeStore;
  accounts: AccountStore;
  /** Whether an account may be used now. */
  mayUse: (user: UserRecord) => boolean;
  bus: EventBus;
  clock: Clock;
  encryption: Encryption;
}

interface Found {
  intake: IntakeWithSecrets;
  /** When the store was asked for it, by the monotonic clock. */
  at: number;
}

export type IntakeCache = ReturnType<typeof createIntakeCache>;

export function createIntakeCache({ intakes, accounts, mayUse, bus, clock, encryption }: Parts) {
  const found = new LRUCache<string, Found>({ max: MAX_REMEMBERED });
  /** The questions to the store that are under way, by the token's hash. */
  const asking = new Map<string, Promise<IntakeWithSecrets | null>>();
  const unsubscribe = bus.subscribe((event) => {
    if (event.kind === 'task') return;
    // What is being asked may be answered with what was before the change.
    asking.clear();
    const ownerId = event.kind === 'access' ? event.userId : null;
    for (const [hash, { intake }] of found)
      if (ownerId === null || intake.ownerId === ownerId) found.delete(hash);
  });

  /** The intake as its adapter sees it. */
  function open(record: IntakeRecord): IntakeWithSecrets {
    const secrets = decryptedSecrets(record);
    const end = previousSecretEnd(record);
    return {
      ...record,
      // Read when a delivery is judged, so that an intake that is remembered, or had to wait, keeps to the end as well.
      get secrets() {
        return secretsAt(secrets, end, clock.now());
      },
    };
  }

  /** The verification's secrets in clear; none when they cannot be opened, so that nothing verifies. */
  function decryptedSecrets({ id, encryptedSecrets }: IntakeRecord): Record<string, string> {
    if (encryptedSecrets === null) return {};
    const text = encryption.decrypt(encryptedSecrets, purposeOf(id));
    return text === null ? {} : (JSON.parse(text) as Record<string, string>);
  }

  /** What is remembered of a token, while it may still be used. */
  function believed(hash: string): Found | undefined {
    const known = found.get(hash);
    if (known === undefined || clock.monotonic() >= known.at + STALE_MS) return undefined;
    return isTokenGood(known.intake.tokens, hash, clock.now()) ? known : undefined;
  }

  /** Asks the store, once for all who want to know at the same time. */
  function ask(hash: string): Promise<IntakeWithSecrets | null> {
    const underWay = asking.get(hash);
    if (underWay !== undefined) return underWay;
    const isLatest = () => asking.get(hash) === answer;
    const answer: Promise<IntakeWithSecrets | null> = lookUp(hash, isLatest).finally(() => {
      if (isLatest()) asking.delete(hash);
    });
    asking.set(hash, answer);
    return answer;
  }

  async function lookUp(hash: string, isLatest: () => boolean): Promise<IntakeWithSecrets | null> {
    const at = clock.monotonic();
    const record = await intakes.findByTokenHash(hash, clock.now());
    // Nobody takes in for an account that is closed.
    const owner = record === null ? null : await accounts.getUser(record.ownerId);
    const intake = record === null || owner === null || !mayUse(owner) ? null : open(record);
    if (!isLatest()) return intake;
    if (intake === null) found.delete(hash);
    else found.set(hash, { intake, at });
    return intake;
  }

  return {
    open,

    /** The secrets that are good right now, with the end of the previous one. */
    secretsOf(record: IntakeRecord): TimedSecrets {
      const end = previousSecretEnd(record);
      const secrets = secretsAt(decryptedSecrets(record), end, clock.now());
      return { secrets, previousUntil: PREVIOUS_SECRET in secrets ? end : null };
    },

    seal(intakeId: string, secrets: Readonly<Record<string, string>>): string | null {
      return Object.keys(secrets).length === 0
        ? null
        : encryption.encrypt(JSON.stringify(secrets), purposeOf(intakeId));
    },

    /** A token as it is kept beside its hash, so that the address can be shown again. */
    encryptToken: (intakeId: string, token: string): string =>
      encryption.encrypt(token, `${purposeOf(intakeId)} token`),

    /** The token of the intake's present address, or null when it cannot be opened (the program's secret was changed). */
    tokenOf({ id, tokens }: IntakeRecord): string | null {
      const newest = tokens[0];
      return newest === undefined ? null : encryption.decrypt(newest.encrypted, `${purposeOf(id)} token`);
    },

    /** The intake that a token is good for, or null. Case is ignored, because mail servers change it. */
    async find(token: string): Promise<IntakeWithSecrets | null> {
      if (!isTokenForm(token)) return null;
      const hash = hashSecret(token.toLowerCase());
      const remembered = believed(hash);
      if (remembered !== undefined && clock.monotonic() < remembered.at + FRESH_MS) return remembered.intake;
      const asked = ask(hash);
      // Without word from the other processes only the store knows what they changed.
      if (remembered === undefined || !bus.isConnected()) return asked;
      asked.catch(() => {
        // Whoever comes when it is too old to be used hears of it.
      });
      return remembered.intake;
    },

    close(): void {
      unsubscribe();
    },
  };
}

function purposeOf(intakeId: string): string {
  return `intake ${intakeId}`;
}
