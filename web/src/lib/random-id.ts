// Random ids and secrets.

/** `bytes` random bytes as hex digits. Needs no `crypto.randomUUID`, which plain http does not have. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
