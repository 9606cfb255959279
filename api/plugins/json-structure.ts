// What is in a JSON text, by one pass over its characters: some texts take the engine seconds to build, in
// which nobody else is served.

/** Far more than metadata may have; what walks values must not run out of stack. */
const MAX_DEPTH = 1000;
/** A file of an account with as many tasks as one owner may have has half of each. */
const MAX_CONTAINERS = 500_000;
const MAX_VALUES = 2_000_000;
/** Objects of ever other fields are what takes longest: files have the same few again and again. */
const MAX_NAMES = 30_000;
/** Shorter texts cannot have so many that it matters. */
const LONG_CHARACTERS = 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Why a text is not built, as what follows its name; null when it may be, whether it is JSON or not. */
export function structureFault(text: string): string | null {
  // Too short for any of these.
  if (text.length < 2 * MAX_DEPTH) return null;
  const isLong = text.length > LONG_CHARACTERS;
  const names = new Set<string>();
  let [depth, containers, values] = [0, 0, 0];
  /** Of the last string. */
  let [start, end] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      start = at + 1;
      at = end = endOfString(text, start);
    } else if (code === 0x7b || code === 0x5b) {
      containers++;
      if (++depth > MAX_DEPTH) return `must not nest deeper than ${MAX_DEPTH} levels`;
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === COMMA) values++;
    else if (code === COLON && isLong) names.add(text.slice(start, end));
    if (names.size > MAX_NAMES) return `must not have over ${MAX_NAMES} different fields`;
  }
  return containers > MAX_CONTAINERS || values > MAX_VALUES
    ? `must not have over ${MAX_CONTAINERS} objects and lists, or ${MAX_VALUES} values`
    : null;
}

function endOfString(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) break;
  }
  return at;
}
