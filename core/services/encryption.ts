// Encrypts secrets that must be read again (an intake's signing secret, Slack's access token): AES-256-GCM
// (NIST SP 800-38D) under a key derived from the program's own secret by HKDF-SHA256 (RFC 5869).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Encryption = ReturnType<typeof createEncryption>;

/** `secrets`: the first seals, all open. */
export function createEncryption(secrets: readonly [string, ...string[]]) {
  const keys = secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'qinbox vault v1', 32)));
  const sealing = keys[0] as Buffer;

  return {
    /** `purpose` binds the encrypted text to its place: it opens nowhere else. */
    encrypt(text: string, purpose: string): string {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(purpose));
      const encrypted = Buffer.concat([
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]);
      return `${VERSION}.${encrypted.toString('base64url')}`;
    },

    /** The text, or null when it was encrypted with another secret or for another purpose, or is damaged. */
    decrypt(encrypted: string, purpose: string): string | null {
      const [version, body] = encrypted.split('.');
      if (version !== VERSION || body === undefined) return null;
      const bytes = Buffer.from(body, 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      for (const key of keys) {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
          .setAAD(Buffer.from(purpose))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        try {
          return (
            decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') +
            decipher.final('utf8')
          );
        } catch {
          // Not this secret; perhaps an older one.
        }
      }
      return null;
    },
  };
}
