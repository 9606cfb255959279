// Reads untrusted JSON: its depth and size are measured before any value is built.

import { broken, tooMuch, type Decoded, type Unreadable } from './unreadable.ts';

/** Levels of nesting that are read; real payloads have fewer than 20. */
const MAX_DEPTH = 64;
/** Bound the time of building values. A MiB of real senders' JSON has fewer. */
const MAX_VALUES = 200_000;
const MAX_KEYS = 30_000;

/** `__proto__` becomes a field like any other. */
export function readJson(text: string): Decoded {
  const problem = measure(text);
  if (problem !== null) return problem;
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (cause) {
    return broken(`The body is not JSON: ${explain(cause, text)}`);
  }
}

/** Whether a text looks like a JSON object or list. */
export function looksLikeJson(text: string): boolean {
  return /^\s{0,100}[[{]/.test(text);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

// One pass over the characters, without recursion.
function measure(text: string): Unreadable | null {
  let depth = 0;
  let values = 1;
  let keys = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MAX_DEPTH)
        return broken(`The JSON is nested over ${MAX_DEPTH} levels deep, more than is read here.`);
      values++;
    } else if (code === 0x7d || code === 0x5d) depth--;
    else if (code === COMMA) values++;
    else if (code === COLON) keys++;
  }
  if (keys > MAX_KEYS) return tooMuch(`over ${MAX_KEYS} fields`);
  return values > MAX_VALUES ? tooMuch(`over ${MAX_VALUES} values`) : null;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) break;
  }
  return at;
}

// The engine's message quotes the text, which may contain a secret, so only the position is taken from it.
function explain(cause: unknown, text: string): string {
  const position = /position (\d+)/.exec(cause instanceof Error ? cause.message : '')?.[1];
  if (position === undefined) return text.trim() === '' ? 'it is blank.' : 'it ends too early.';
  const before = text.slice(0, Number(position));
  const line = before.split('\n').length;
  return `something is wrong at line ${line}, column ${before.length - before.lastIndexOf('\n')}.`;
}
