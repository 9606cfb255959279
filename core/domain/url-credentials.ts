// A user name and password in an address (RFC 3986, 3.2.1) let in every reader, so they are shown and
// kept nowhere.

const MASK = '••••••';

// Up to the last @ before the path: a password may hold one. Runs end at the next slash, so that no text is
// walked over twice.
const WITH_PASSWORD = /:\/\/[^\s/?#@:]{0,200}:[^\s/?#]{1,400}@/g;
/** A name alone is often a token; in other schemes (`ssh://git@…`) it is the name of an account. */
const NAME_ALONE = /(https?:\/\/)[^\s/?#]{1,400}@/gi;

/** The text with what addresses in it hold before their @ hidden. */
export function maskUrlCredentials(text: string): string {
  if (!text.includes('@') || !text.includes('://')) return text;
  return text.replace(WITH_PASSWORD, `://${MASK}@`).replace(NAME_ALONE, `$1${MASK}@`);
}
