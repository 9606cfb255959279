// The origin of a web address (RFC 6454), as browsers send it.

/** Whether this is an address that begins with http:// or https://, in any case. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}

/**
 * `https://host[:port]` of an address that says no more than that, in the form in which browsers send it:
 * lower case, names in Punycode, no slash at the end, no port that goes without saying. Null for anything
 * else: a path, a query, a fragment, a user, another scheme.
 */
export function readOrigin(text: string): string | null {
  if (!isWebAddress(text) || /[\s?#@\\]/.test(text)) return null;
  const { origin, pathname } = new URL(text);
  return pathname === '/' ? origin : null;
}
