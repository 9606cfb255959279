// The key pair that this server proves itself with to push services (VAPID, RFC 8292): made once, stored
// encrypted, the same in all processes. Subscriptions are made for it, so that it never changes by itself.
import { generateKeyPairSync } from 'node:crypto';
import type { PushKeys } from '#core/domain/push.ts';
import type { SecretStore } from '#core/ports/secret-store.ts';
import type { Encryption } from '#core/services/encryption.ts';

const ID = 'vapid';
const PURPOSE = 'push keys';

/** Answers the pair, made and stored at the first call. */
export function createPushKeys(secrets: SecretStore, encryption: Encryption): () => Promise<PushKeys> {
  let found: Promise<PushKeys> | undefined;

  function decrypted(stored: string | null): PushKeys | null {
    const text = stored === null ? null : encryption.decrypt(stored, PURPOSE);
    return text === null ? null : (JSON.parse(text) as PushKeys);
  }

  async function findOrMake(): Promise<PushKeys> {
    const stored = await secrets.get(ID);
    const known = decrypted(stored);
    if (known !== null) return known;
    // With another JWT_SECRET no stored device can be read either: browsers subscribe anew, for a new pair.
    const made = newKeys();
    const after = await secrets.ensure(ID, encryption.encrypt(JSON.stringify(made), PURPOSE), stored);
    return decrypted(after) ?? made;
  }

  return () => {
    found ??= findOrMake().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

function newKeys(): PushKeys {
  const {
    x = '',
    y = '',
    d = '',
  } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    format: 'jwk',
  });
  const point = [Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return { publicKey: Buffer.concat(point).toString('base64url'), privateKey: d };
}
