// Where a sign-in link points. The token travels in the fragment, which no browser sends to a server and no proxy logs.

/** The address that signs its holder in, once. */
export function linkUrl(base: string, token: string): string {
  return `${base}/inbox#signin=${token}`;
}
