// A browser's side of Web Push: the keys of a subscription, and reading what was sent to it (RFC 8291), by
// Node's own functions alone.
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** A subscription as a browser makes it. */
export function createSubscriptionKeys() {
  const own = createECDH('prime256v1');
  own.generateKeys();
  const auth = randomBytes(16);
  return {
    /** What the browser tells the server. */
    keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') },

    /** The text of an encrypted message; throws when it is not for this browser. */
    decrypt(body: Buffer): string {
      // RFC 8188, 2.1: salt, record size, key id, which is the sender's public key.
      const salt = body.subarray(0, 16);
      const idLength = body.readUInt8(20);
      const sender = body.subarray(21, 21 + idLength);
      const record = body.subarray(21 + idLength);
      const derive = (key: Uint8Array, from: Uint8Array, info: Uint8Array, length: number) =>
        Buffer.from(hkdfSync('sha256', key, from, info, length));
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
      const secret = derive(own.computeSecret(sender), auth, info, 32);
      const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
      const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
      // The last record ends with a 2, and zeros.
      return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
    },
  };
}
