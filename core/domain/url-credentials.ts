// Hides user name and password in addresses (RFC 3986, 3.2.1), which let in every reader.

const MASK = '••••••';

// Up to the last @ before the path: a password may hold one. Ends at the next slash: linear time.
const WITH_PASSWORD = /:\/\/[^\s/?#@:]{0,200}:[^\s/?#]{1,400}@/g;
/** A name alone is often a token; in other schemes (`ssh://git@…`) it is the name of an account. */
const NAME_ALONE = /(https?:\/\/)[^\s/?#]{1,400}@/gi;

/** The text with what addresses in it hold before their @ hidden. */
export function maskUrlCredentials(text: string): string {
  if (!text.includes('@') || !text.includes('://')) return text;
  return text.replace(WITH_PASSWORD, `://${MASK}@`).replace(NAME_ALONE, `$1${MASK}@`);
}

/** The servers in an address of MongoDB or Redis, without user and password, which may have an @ in it. */
export function hostsOf(url: string): string {
  return url.replace(/^[^/]*\/\/(?:[^/]*@)?/, '').replace(/[/?].*$/, '');
}
