// The part of a request that is stored with its delivery, to be shown and read again: no header that could
// prove or reveal anything, and a bounded body.
import { isUtf8 } from 'node:buffer';
import { MAX_STORED_BODY_BYTES } from '#core/contract/index.ts';
import type { StoredRequest } from '#core/domain/intake.ts';
import type { IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import { decode, type Body } from './decode/body.ts';
import { isSecretName, maskMarkup, maskText, wordsOf } from './redaction/mask.ts';
import { broken, type Unreadable } from './decode/unreadable.ts';

const MAX_HEADERS = 60;
const MAX_HEADER_CHARACTERS = 1000;

/** Headers of the connection and of proxies, not of the sender. */
const HOP_HEADERS =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|via|forwarded|content-length|content-encoding|accept-encoding|x-forwarded-.*|x-real-ip|true-client-ip|cf-.*|fly-.*|proxy-.*|sec-.*|traceparent|tracestate)$/;
const PROOF_WORDS = new Set(['signature', 'authorization', 'cookie', 'digest', 'hmac']);

/** Headers that templates and presets may see and that may be stored. */
export function safeHeaders(
  headers: Readonly<Record<string, string>>,
  { secrets, verification }: Pick<IntakeWithSecrets, 'secrets' | 'verification'>,
): Record<string, string> {
  const proving = [verification.options['header'], 'authorization'].map((name) => String(name).toLowerCase());
  const secret = Object.values(secrets).filter((text) => text.length >= 4);
  const safe = Object.entries(headers).filter(
    ([name, value]) =>
      !HOP_HEADERS.test(name) &&
      !proving.includes(name) &&
      !isSecretName(name) &&
      !wordsOf(name).some((word) => PROOF_WORDS.has(word)) &&
      !secret.some((text) => value.includes(text)),
  );
  return Object.fromEntries(
    safe
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [name, maskText(value.slice(0, MAX_HEADER_CHARACTERS)).toWellFormed()]),
  );
}

/**
 * The request as it is stored. `bytes` is the body without its Content-Encoding; `body` is what was decoded
 * of it, without credentials, or null when it could not be decoded. Where credentials were taken out, the
 * decoded body is stored instead of `bytes`.
 */
export function toStoredRequest(
  bytes: Buffer,
  contentType: string,
  headers: Readonly<Record<string, string>>,
  body: Body | null,
): StoredRequest {
  if (body?.raw !== undefined) {
    const type =
      body.form === 'text' ? `${body.contentType || 'text/plain'}; charset=utf-8` : 'application/json';
    return storeBytes(Buffer.from(body.text), type, { ...headers, 'content-type': type });
  }
  const request = storeBytes(bytes, contentType, headers);
  return body === null && request.encoding === 'text'
    ? { ...request, body: maskMarkup(request.body) }
    : request;
}

function storeBytes(
  bytes: Buffer,
  contentType: string,
  headers: Readonly<Record<string, string>>,
): StoredRequest {
  const clipped = bytes.length > MAX_STORED_BODY_BYTES;
  const stored = clipped ? wholeCharacters(bytes.subarray(0, MAX_STORED_BODY_BYTES)) : bytes;
  const isText = isUtf8(stored) && !stored.includes(0) && !/charset=(?!"?utf-?8)/i.test(contentType);
  return {
    headers,
    contentType,
    body: isText ? stored.toString('utf8') : stored.toString('base64'),
    encoding: isText ? 'text' : 'base64',
    clipped,
  };
}

/** Decodes a stored request again; one that was cut cannot be. */
export function decodeStored(request: StoredRequest): { ok: true; body: Body } | Unreadable {
  if (request.clipped)
    return broken('Too little of this delivery was kept to read it again. Have it sent once more.');
  const bytes = Buffer.from(request.body, request.encoding === 'text' ? 'utf8' : 'base64');
  return decode(bytes, request.contentType, request.headers);
}

// Does not cut a character of several bytes in two.
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= 4; back++) {
    const byte = bytes.at(-back) ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, -back);
  }
  return bytes;
}
