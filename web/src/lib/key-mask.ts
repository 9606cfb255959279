// How a key is shown while it is not revealed.

export const DOT = '•';
const HEAD = 8;
const TAIL = 4;
/** A key this short would be half shown by its ends. */
const FULLY_MASKED = 12;

/** The first 8 characters, dots, the last 4; of 12 characters or fewer only dots. */
export function maskKey(key: string): string {
  if (key.length <= FULLY_MASKED) return DOT.repeat(key.length);
  return `${key.slice(0, HEAD)}${DOT.repeat(8)}${key.slice(-TAIL)}`;
}
