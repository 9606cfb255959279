// Finds web addresses in text that strangers wrote. Only http and https become links; everything else stays text.

export type TextPart = { kind: 'text'; text: string } | { kind: 'link'; text: string; href: string };

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`\u2028\u2029]+/gi;
const PAIRS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** The text in order, cut into plain parts and links; joined again it is the text, unchanged. */
export function linkify(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = withoutTrailingPunctuation(match[0]);
    const href = safeHref(address);
    if (href === null) continue;
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) });
    parts.push({ kind: 'link', text: address, href });
    from = match.index + address.length;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

/** The address when it is an absolute http or https one, else null. */
export function safeHref(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  try {
    const url = new URL(value);
    return (url.protocol === 'https:' || url.protocol === 'http:') && url.hostname !== '' ? url.href : null;
  } catch {
    return null;
  }
}

// "(see https://a.example/x)." links https://a.example/x, while https://a.example/x_(y) keeps its bracket.
function withoutTrailingPunctuation(address: string): string {
  const counts = new Map<string, number>();
  for (const character of address) counts.set(character, (counts.get(character) ?? 0) + 1);
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    const opening = PAIRS[last];
    const closed = counts.get(last) ?? 0;
    if (opening === undefined ? !/[.,;:!?*_~…]/.test(last) : (counts.get(opening) ?? 0) >= closed) break;
    counts.set(last, closed - 1);
  }
  return address.slice(0, end);
}
