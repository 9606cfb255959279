// What a button of a notification may do: a token in the message, which is encrypted up to the browser, lets
// it act on this one task without a session, as long as pushes go to the device.
import type { Clock } from '#core/ports/clock.ts';
import type { Encryption } from '#core/services/encryption.ts';
import type { PushTargets } from './targets.ts';

interface Parts {
  encryption: Encryption;
  targets: Pick<PushTargets, 'device'>;
  clock: Clock;
}

/** How long a notification may act. */
const TOKEN_TTL_MS = 7 * 24 * 3_600_000;
const PURPOSE = 'push action';

export interface PushedTask {
  ownerId: string;
  id: string;
}

export type PushActions = ReturnType<typeof createPushActions>;

export function createPushActions({ encryption, targets, clock }: Parts) {
  return {
    /** What lets a device act on a task for the next seven days. */
    tokenFor: ({ ownerId, id }: PushedTask, deviceId: string): string =>
      encryption.encrypt(JSON.stringify([ownerId, id, deviceId, clock.now() + TOKEN_TTL_MS]), PURPOSE),

    /** The task that a token is for; null when it has ended, or its device gets no pushes any longer. */
    async taskOf(token: string): Promise<PushedTask | null> {
      const text = encryption.decrypt(token, PURPOSE);
      if (text === null) return null;
      const [ownerId, id, deviceId, until] = JSON.parse(text) as [string, string, string, number];
      if (until <= clock.now()) return null;
      return (await targets.device(ownerId, deviceId)) === null ? null : { ownerId, id };
    },
  };
}
