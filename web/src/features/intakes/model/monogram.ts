// Letters and a colour that stand for a sender, always the same ones for the same name.

/** Angle between the hues of names: 12 of them, so that neighbours differ. */
const HUE_STEP = 30;

/** "GH" for GitHub and "UK" for Uptime Kuma: the capitals of a name, or else its first two letters. */
export function monogramOf(title: string): string {
  const name = title
    .replaceAll(/\(.*?\)/g, '')
    .replaceAll(/[^\p{L}\p{N} ]/gu, ' ')
    .trim();
  const capitals = [...name.matchAll(/\p{Lu}/gu)].map(([letter]) => letter);
  const starts = name.split(/\s+/).map((word) => word.charAt(0).toUpperCase());
  const letters = capitals.length >= 2 ? capitals : starts.length >= 2 ? starts : Array.from(name);
  const [first = '?', second = ''] = letters;
  return first.toUpperCase() + (capitals.length >= 2 || starts.length >= 2 ? second : second.toLowerCase());
}

/** In degrees. */
export function hueOf(title: string): number {
  let sum = 0;
  for (const letter of title) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973;
  return (sum % (360 / HUE_STEP)) * HUE_STEP;
}
