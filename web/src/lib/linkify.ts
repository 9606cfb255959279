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
  let end = address.length;
  while (end > 0) {
    const last = address.charAt(end - 1);
    const opening = PAIRS[last];
    if (opening !== undefined) {
      const kept = address.slice(0, end);
      if (count(kept, opening) >= count(kept, last)) break;
    } else if (!/[.,;:!?*_~…]/.test(last)) break;
    end -= 1;
  }
  return address.slice(0, end);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
