// What is used of http_ece, which brings no types.
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface EncryptOptions {
    version: 'aes128gcm';
    /** The receiver's public key in base64url. */
    dh: string;
    /** The sender's key for this message. */
    privateKey: ECDH;
    /** In base64url. */
    authSecret: string;
  }
  /** Encrypts for Web Push (RFC 8291). */
  export function encrypt(body: Buffer, options: EncryptOptions): Buffer;
}
