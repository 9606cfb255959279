// How a mail is kept beside its delivery, to be shown and read again: as it came, up to 64 KiB of it.
import { isUtf8 } from 'node:buffer';
import type { StoredRequest } from '#core/domain/intake.ts';

const MAX_KEPT_BYTES = 64 * 1024;
/** What becomes of 48 KiB in base64 is 64 KiB. */
const MAX_KEPT_BINARY_BYTES = 48 * 1024;
const DOMAIN = 'x-delivered-to-domain';
const LINE_FEED = 0x0a;

/** Keeps a mail that came to an address of this domain. */
export function keepMail(raw: Buffer, domain?: string): StoredRequest {
  const text = raw.length > MAX_KEPT_BYTES ? wholeLines(raw.subarray(0, MAX_KEPT_BYTES)) : raw;
  const isText = isUtf8(text);
  const kept = isText ? text : raw.subarray(0, MAX_KEPT_BINARY_BYTES);
  return {
    headers: domain === undefined ? {} : { [DOMAIN]: domain },
    contentType: 'message/rfc822',
    body: kept.toString(isText ? 'utf8' : 'base64'),
    encoding: isText ? 'text' : 'base64',
    clipped: kept.length < raw.length,
  };
}

/** The domain that a kept mail came to, whose addresses are tokens; undefined when it is not known. */
export function domainOf({ headers }: StoredRequest): string | undefined {
  return headers[DOMAIN];
}

/** The bytes of a kept mail. */
export function rawOf({ body, encoding }: StoredRequest): Buffer {
  return Buffer.from(body, encoding === 'base64' ? 'base64' : 'utf8');
}

// So that a cut never falls into the middle of a character.
function wholeLines(raw: Buffer): Buffer {
  const end = raw.lastIndexOf(LINE_FEED);
  return end === -1 ? raw : raw.subarray(0, end + 1);
}
