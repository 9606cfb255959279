// What of a request is kept beside its delivery, to be shown and read again: no header that could prove or betray anything, and a
// body that is bounded.
import { isUtf8 } from 'node:buffer';
import type { StoredRequest } from '#core/domain/intake.ts';
import type { IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import { decode, type Body } from './body.ts';
import { isSecretName, maskMarkup, maskText, wordsOf } from './mask.ts';
import { broken, type Unreadable } from './unreadable.ts';

/** Bytes of a body that are kept; a longer one is cut, and cannot be read again. */
const MAX_KEPT_BYTES = 64 * 1024;
const MAX_HEADERS = 60;
const MAX_HEADER_CHARACTERS = 1000;

/** Of the connection and of proxies on the way, not of the sender. */
const OF_THE_WAY =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|via|forwarded|content-length|content-encoding|accept-encoding|x-forwarded-.*|x-real-ip|true-client-ip|cf-.*|fly-.*|proxy-.*|sec-.*|traceparent|tracestate)$/;
const PROVING = new Set(['signature', 'authorization', 'cookie', 'digest', 'hmac']);

/** Headers that templates and presets may see, and that may be kept. */
export function safeHeaders(
  headers: Readonly<Record<string, string>>,
  { secrets, verification }: Pick<IntakeWithSecrets, 'secrets' | 'verification'>,
): Record<string, string> {
  const proving = [verification.options['header'], 'authorization'].map((name) => String(name).toLowerCase());
  const secret = Object.values(secrets).filter((text) => text.length >= 4);
  const safe = Object.entries(headers).filter(
    ([name, value]) =>
      !OF_THE_WAY.test(name) &&
      !proving.includes(name) &&
      !isSecretName(name) &&
      !wordsOf(name).some((word) => PROVING.has(word)) &&
      !secret.some((text) => value.includes(text)),
  );
  return Object.fromEntries(
    safe
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [name, maskText(value.slice(0, MAX_HEADER_CHARACTERS)).toWellFormed()]),
  );
}

/**
 * The request as it is kept; `bytes` are the body's without its Content-Encoding, `body` what was read of them without credentials,
 * or null when they could not be read. Where credentials were taken out, what was read is kept instead of what came.
 */
export function keep(
  bytes: Buffer,
  contentType: string,
  headers: Readonly<Record<string, string>>,
  body: Body | null,
): StoredRequest {
  if (body?.raw !== undefined) {
    const type =
      body.form === 'text' ? `${body.contentType || 'text/plain'}; charset=utf-8` : 'application/json';
    return keepBytes(Buffer.from(body.text), type, { ...headers, 'content-type': type });
  }
  const request = keepBytes(bytes, contentType, headers);
  return body === null && request.encoding === 'text'
    ? { ...request, body: maskMarkup(request.body) }
    : request;
}

function keepBytes(
  bytes: Buffer,
  contentType: string,
  headers: Readonly<Record<string, string>>,
): StoredRequest {
  const clipped = bytes.length > MAX_KEPT_BYTES;
  const kept = clipped ? wholeCharacters(bytes.subarray(0, MAX_KEPT_BYTES)) : bytes;
  const isText = isUtf8(kept) && !kept.includes(0) && !/charset=(?!"?utf-?8)/i.test(contentType);
  return {
    headers,
    contentType,
    body: isText ? kept.toString('utf8') : kept.toString('base64'),
    encoding: isText ? 'text' : 'base64',
    clipped,
  };
}

/** Reads a kept request again. */
export function reopen(request: StoredRequest): { ok: true; body: Body } | Unreadable {
  if (request.clipped)
    return broken('Too little of this delivery was kept to read it again. Have it sent once more.');
  const bytes = Buffer.from(request.body, request.encoding === 'text' ? 'utf8' : 'base64');
  return decode(bytes, request.contentType, request.headers);
}

// Not to cut a character of several bytes in two.
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= 4; back++) {
    const byte = bytes.at(-back) ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return bytes.subarray(0, -back);
  }
  return bytes;
}
