// Decodes a delivery's body by its content type, in bounded time, for presets, mappings and summaries.
import { isUtf8 } from 'node:buffer';
import { isBlank } from '#core/domain/blank.ts';
import { gather } from './form-fields.ts';
import { withJsonField } from './json-field.ts';
import { looksLikeJson, readJson } from './json.ts';
import { readMultipart } from './multipart.ts';
import type { Payload } from '../presets/preset.ts';
import { broken, tooMuch, type Unreadable } from './unreadable.ts';
import { readXml } from './xml.ts';

/** A decoded body. */
export interface Body extends Payload {
  /** The form that it was decoded from. */
  form: 'json' | 'fields' | 'xml' | 'text' | 'bytes' | 'empty';
  /** Of the body without its Content-Encoding. */
  sizeBytes: number;
  /** The original value, where credentials were taken out of it. Never shown, never stored. */
  raw?: unknown;
}

const MAX_FIELDS = 10_000;

/** A body that does not match its type is refused with another code than one that is too large. */
export function decode(
  bytes: Buffer,
  contentType: string,
  headers: Readonly<Record<string, string>>,
): { ok: true; body: Body } | Unreadable {
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const made = (form: Body['form'], value: unknown, text: string) => ({
    ok: true as const,
    body: { form, value, text, contentType: type, headers, sizeBytes: bytes.length },
  });
  if (bytes.length === 0) return made('empty', '', '');
  if (type === 'multipart/form-data') {
    const fields = readMultipart(bytes, parameter(contentType, 'boundary'));
    return fields.ok ? made('fields', withJsonField(fields.value, fields.jsonField), '') : fields;
  }
  const kind = kindOf(type, bytes);
  if (kind === 'bytes') return made('bytes', '', '');

  const text = decodeText(bytes, parameter(contentType, 'charset') ?? 'utf-8');
  if (typeof text !== 'string') return text;
  if (isBlank(text)) return made('empty', '', '');
  if (kind === 'json' || kind === 'xml') {
    const read = kind === 'json' ? readJson(text) : readXml(text);
    return read.ok ? made(kind, read.value, text) : read;
  }
  // Some senders call their JSON text/plain, and `curl -d` calls it a form.
  const guess = kind !== 'lines' && looksLikeJson(text) ? readJson(text) : null;
  if (guess?.ok === true) return made('json', guess.value, text);
  if (kind !== 'form' || !text.includes('=')) return made('text', text, text);
  const fields = readForm(text);
  return fields.ok ? made('fields', withJsonField(fields.value, null), text) : fields;
}

type Kind = 'json' | 'form' | 'xml' | 'text' | 'lines' | 'bytes';

function kindOf(type: string, bytes: Buffer): Kind {
  if (/^application\/(?:x-ndjson|ndjson|jsonl|json-seq|jsonlines)$/.test(type)) return 'lines';
  if (/[/+]json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (/^(?:application|text)\/xml$|\+xml$/.test(type)) return 'xml';
  if (type.startsWith('text/')) return 'text';
  // Without a type, text is what reads as text.
  return type === '' && isUtf8(bytes) ? 'text' : 'bytes';
}

function decodeText(bytes: Buffer, charset: string): string | Unreadable {
  let decoder;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    const reason = 'The charset in Content-Type is not understood. Send the body in UTF-8.';
    return { ok: false, code: 'UNSUPPORTED_MEDIA_TYPE', reason };
  }
  try {
    return decoder.decode(bytes);
  } catch {
    return broken(
      `The body is not valid ${decoder.encoding.toUpperCase()}. Send it in UTF-8, or name its charset in Content-Type.`,
    );
  }
}

function readForm(text: string): { ok: true; value: Record<string, unknown> } | Unreadable {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields++;
  return fields > MAX_FIELDS
    ? tooMuch(`over ${MAX_FIELDS} fields`)
    : { ok: true, value: gather(new URLSearchParams(text)) };
}

function parameter(contentType: string, name: string): string | null {
  const found = new RegExp(`;\\s*${name}=(?:"([^"]{1,100})"|([^\\s;"]{1,100}))`, 'i').exec(contentType);
  return found?.[1] ?? found?.[2] ?? null;
}
