// Where a web address in running text ends. Imports nothing, so that the web app uses it as well.

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * The address without the punctuation of the sentence around it: "(see https://a.example/x)." leads to
 * https://a.example/x, while https://a.example/x_(y) keeps its bracket. Linear in its length.
 */
export function trimLink(address: string): string {
  const counts = new Map<string, number>();
  for (const character of address) counts.set(character, (counts.get(character) ?? 0) + 1);
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    const opening = PAIRS[last];
    const closed = counts.get(last) ?? 0;
    if (opening === undefined ? !/[.,;:!?'*_~>…]/.test(last) : (counts.get(opening) ?? 0) >= closed) break;
    counts.set(last, closed - 1);
  }
  return address.slice(0, end);
}
