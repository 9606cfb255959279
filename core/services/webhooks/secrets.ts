// Secrets of webhooks, encrypted for the store and decrypted to sign.
import { createWebhookSecret } from '#core/domain/standard-webhooks.ts';
import type { WebhookRecord } from '#core/domain/webhook.ts';
import type { Encryption } from '#core/services/encryption.ts';

/** How long a former secret signs beside the new one: 24 hours. */
const FORMER_SIGNS_MS = 24 * 60 * 60_000;

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

type Stored = Pick<WebhookRecord, 'encryptedSecret' | 'previous'>;

export function createWebhookSecrets(encryption: Encryption) {
  const purposeOf = (id: string): string => `webhook ${id}`;

  function fresh(id: string): { secret: string; encryptedSecret: string } {
    const secret = createWebhookSecret();
    return { secret, encryptedSecret: encryption.encrypt(secret, purposeOf(id)) };
  }

  return {
    /** The first secret of a webhook. */
    first(id: string): Stored & { secret: string } {
      return { ...fresh(id), previous: null };
    },

    /** A new secret; the one that signs now goes on for 24 hours, the one before it ends. */
    next({ id, encryptedSecret }: WebhookRecord, now: number): Stored & { secret: string } {
      return { ...fresh(id), previous: { encryptedSecret, until: now + FORMER_SIGNS_MS } };
    },

    /** Those that sign at `now`, the newest first; none when the newest cannot be decrypted. */
    signing({ id, encryptedSecret, previous }: WebhookRecord, now: number): string[] {
      const newest = encryption.decrypt(encryptedSecret, purposeOf(id));
      if (newest === null) return [];
      const isGood = previous !== null && now < previous.until;
      const former = isGood ? encryption.decrypt(previous.encryptedSecret, purposeOf(id)) : null;
      return former === null ? [newest] : [newest, former];
    },
  };
}
