// Secrets that nobody has to think of.

const BYTES = 20;

/** 160 random bits as 40 hex digits, which every sender's form takes. */
export function randomSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
