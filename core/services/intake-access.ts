// Finds the intake behind a token and opens its secrets, quickly: what was found is remembered for two seconds, and forgotten at
// once in every process when the owner changes something.
import { hashSecret } from '../domain/api-key.ts';
import { isTokenForm } from '../domain/intake-token.ts';
import type { IntakeRecord } from '../domain/intake.ts';
import type { OpenIntake } from '../ports/adapter.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { IntakeStore } from '../ports/intake-store.ts';
import type { Vault } from './vault.ts';

const REMEMBER_MS = 2000;
const MAX_REMEMBERED = 1000;

interface Parts {
  intakes: IntakeStore;
  accounts: AccountStore;
  bus: EventBus;
  clock: Clock;
  vault: Vault;
}

interface Found {
  open: OpenIntake;
  until: number;
}

export type IntakeAccess = ReturnType<typeof createIntakeAccess>;

export function createIntakeAccess({ intakes, accounts, bus, clock, vault }: Parts) {
  const found = new Map<string, Found>();
  const records = new WeakMap<OpenIntake, IntakeRecord>();
  const unsubscribe = bus.subscribe((event) => {
    if (event.kind !== 'access') return;
    for (const [hash, { open }] of found)
      if (event.userId === null || open.ownerId === event.userId) found.delete(hash);
  });

  /** The intake as its adapter sees it. */
  function open(record: IntakeRecord): OpenIntake {
    const { id, ownerId, name, preset, verification, mapping, settings, paused } = record;
    const secrets = secretsOf(record);
    const intake = { id, ownerId, name, preset, verification, secrets, mapping, settings, paused };
    records.set(intake, record);
    return intake;
  }

  /** The verification's secrets in clear; none when they cannot be opened, so that nothing verifies. */
  function secretsOf({ id, sealedSecrets }: IntakeRecord): Record<string, string> {
    if (sealedSecrets === null) return {};
    const text = vault.open(sealedSecrets, purposeOf(id));
    return text === null ? {} : (JSON.parse(text) as Record<string, string>);
  }

  return {
    open,
    secretsOf,

    seal(intakeId: string, secrets: Readonly<Record<string, string>>): string | null {
      return Object.keys(secrets).length === 0
        ? null
        : vault.seal(JSON.stringify(secrets), purposeOf(intakeId));
    },

    /** A token as it is kept beside its hash, so that the address can be shown again. */
    sealToken: (intakeId: string, token: string): string => vault.seal(token, `${purposeOf(intakeId)} token`),

    /** The token of the intake's present address, or null when it cannot be opened (the program's secret was changed). */
    tokenOf({ id, tokens }: IntakeRecord): string | null {
      const newest = tokens[0];
      return newest === undefined ? null : vault.open(newest.sealed, `${purposeOf(id)} token`);
    },

    /** What an open intake was made of. */
    recordOf(intake: OpenIntake): IntakeRecord {
      const record = records.get(intake);
      if (record === undefined) throw new Error('This intake was not opened here.');
      return record;
    },

    /** The intake that a token is good for, or null. Case is ignored, because mail servers change it. */
    async find(token: string): Promise<OpenIntake | null> {
      if (!isTokenForm(token)) return null;
      const hash = hashSecret(token.toLowerCase());
      const now = clock.now();
      const remembered = found.get(hash);
      if (remembered !== undefined && now < remembered.until) return remembered.open;
      const record = await intakes.findByTokenHash(hash, now);
      // Nobody takes in for an account that is disabled.
      const owner = record === null ? null : await accounts.getUser(record.ownerId);
      if (record === null || owner?.isActive !== true) {
        found.delete(hash);
        return null;
      }
      const intake = open(record);
      if (found.size >= MAX_REMEMBERED) found.clear();
      found.set(hash, { open: intake, until: now + REMEMBER_MS });
      return intake;
    },

    close(): void {
      unsubscribe();
    },
  };
}

function purposeOf(intakeId: string): string {
  return `intake ${intakeId}`;
}
