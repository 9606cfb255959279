// Secrets and addresses of intakes, encrypted for the store and decrypted for their adapters.
import {
  PREVIOUS_SECRET,
  previousSecretEnd,
  secretsAt,
  type TimedSecrets,
} from '#core/domain/intake-secrets.ts';
import type { IntakeRecord } from '#core/domain/intake.ts';
import type { IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Encryption } from '#core/services/encryption.ts';

export type IntakeEncryption = ReturnType<typeof createIntakeEncryption>;

export function createIntakeEncryption(encryption: Encryption, clock: Pick<Clock, 'now'>) {
  /** The verification's secrets in clear; none when they cannot be decrypted, so that nothing verifies. */
  function decryptSecrets({ id, encryptedSecrets }: IntakeRecord): Record<string, string> {
    if (encryptedSecrets === null) return {};
    const text = encryption.decrypt(encryptedSecrets, purposeOf(id));
    return text === null ? {} : (JSON.parse(text) as Record<string, string>);
  }

  return {
    /** The intake as its adapter sees it. */
    open: (record: IntakeRecord): IntakeWithSecrets => {
      const secrets = decryptSecrets(record);
      const end = previousSecretEnd(record);
      return {
        ...record,
        // Evaluated for each delivery: the previous secret ends on time, however long the intake was cached.
        get secrets() {
          return secretsAt(secrets, end, clock.now());
        },
      };
    },

    /** The secrets that are good right now, with the end of the previous one. */
    secretsOf(record: IntakeRecord): TimedSecrets {
      const end = previousSecretEnd(record);
      const secrets = secretsAt(decryptSecrets(record), end, clock.now());
      return { secrets, previousUntil: PREVIOUS_SECRET in secrets ? end : null };
    },

    encryptSecrets(intakeId: string, secrets: Readonly<Record<string, string>>): string | null {
      return Object.keys(secrets).length === 0
        ? null
        : encryption.encrypt(JSON.stringify(secrets), purposeOf(intakeId));
    },

    /** Stored beside the token's hash, so that the address can be shown again. */
    encryptToken: (intakeId: string, token: string): string =>
      encryption.encrypt(token, `${purposeOf(intakeId)} token`),

    /** The token of the present address; null when the program's secret was changed. */
    tokenOf({ id, tokens }: IntakeRecord): string | null {
      const newest = tokens[0];
      return newest === undefined ? null : encryption.decrypt(newest.encrypted, `${purposeOf(id)} token`);
    },
  };
}

function purposeOf(intakeId: string): string {
  return `intake ${intakeId}`;
}
