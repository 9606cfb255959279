// Makes the fields of a task of a body that is not JSON: plain text is the content, and so is the body of
// `curl -d`. Pure; the result is validated like any JSON body.

import { isUtf8 } from 'node:buffer';
import { defined } from '#core/domain/filled.ts';
import { invalid } from '#core/errors.ts';

/** Fields of a task that a text body cannot carry. */
export interface TextHeaders {
  'x-priority'?: string | undefined;
  'x-tags'?: string | undefined;
  'x-expiry-minutes'?: string | undefined;
}

/** The fields of a task from a `text/plain` body. */
export function fromText(body: string, headers: TextHeaders): Record<string, unknown> {
  const tags = headers['x-tags'];
  return defined({
    content: body,
    priority: headers['x-priority']?.trim().toLowerCase(),
    tags: tags === undefined ? undefined : splitTags(decodeHeader(tags)),
    expiryMinutes: wholeNumber(headers['x-expiry-minutes']),
  });
}

/**
 * The fields of a task from an `application/x-www-form-urlencoded` body. One without a `content=` field comes
 * from `curl -d "text"`: the whole body is the text.
 */
export function fromForm(body: string, headers: TextHeaders): Record<string, unknown> {
  if (!/(?:^|&)content=/.test(body)) return fromText(body, headers);
  if (!isUtf8(percentDecoded(body))) throw invalid([{ field: '', message: 'the body is not valid UTF-8' }]);
  const form = new URLSearchParams(body);
  const field = (name: string) => form.get(name) ?? undefined;
  const given = defined({
    priority: field('priority')?.trim().toLowerCase(),
    tags: form.has('tags') ? form.getAll('tags').flatMap(splitTags) : undefined,
    expiryMinutes: wholeNumber(field('expiryMinutes')),
    source: field('source'),
    dedupeKey: field('dedupeKey'),
  });
  return { ...fromText(field('content') ?? '', headers), ...given };
}

// The bytes of a form. A parser would replace bytes that are no UTF-8 by U+FFFD, and make one key of two.
function percentDecoded(form: string): Buffer {
  const bytes = Buffer.from(form).toString('latin1');
  const byteOf = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return Buffer.from(bytes.replace(/%([\da-f]{2})/gi, byteOf), 'latin1');
}

function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

// Anything but a whole number stays as it is, for the validator to refuse.
function wholeNumber(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text.trim()) ? Number(text) : text;
}

// Header bytes arrive as Latin-1; what was meant is nearly always UTF-8.
function decodeHeader(text: string): string {
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\uFFFD') ? text : decoded;
}
