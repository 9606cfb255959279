// A mail as it is stored with its delivery, to be shown and read again: as it came, up to 64 KiB of it.
import { isUtf8 } from 'node:buffer';
import type { StoredRequest } from '#core/domain/intake.ts';

const MAX_STORED_BYTES = 64 * 1024;
/** 64 KiB in base64. */
const MAX_STORED_BINARY_BYTES = 48 * 1024;
const DOMAIN = 'x-delivered-to-domain';
const LINE_FEED = 0x0a;

/** Makes the stored form of a mail to an address of this domain. */
export function storedMail(raw: Buffer, domain?: string): StoredRequest {
  const text = raw.length > MAX_STORED_BYTES ? wholeLines(raw.subarray(0, MAX_STORED_BYTES)) : raw;
  const isText = isUtf8(text);
  const stored = isText ? text : raw.subarray(0, MAX_STORED_BINARY_BYTES);
  return {
    headers: domain === undefined ? {} : { [DOMAIN]: domain },
    contentType: 'message/rfc822',
    body: stored.toString(isText ? 'utf8' : 'base64'),
    encoding: isText ? 'text' : 'base64',
    clipped: stored.length < raw.length,
  };
}

/** The domain of the recipients of a stored mail, whose addresses are tokens; undefined when unknown. */
export function domainOf({ headers }: StoredRequest): string | undefined {
  return headers[DOMAIN];
}

/** The bytes of a stored mail. */
export function rawOf({ body, encoding }: StoredRequest): Buffer {
  return Buffer.from(body, encoding === 'base64' ? 'base64' : 'utf8');
}

// A cut after a whole line never splits a character.
function wholeLines(raw: Buffer): Buffer {
  const end = raw.lastIndexOf(LINE_FEED);
  return end === -1 ? raw : raw.subarray(0, end + 1);
}
