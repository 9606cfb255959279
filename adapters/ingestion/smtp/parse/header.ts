// Header fields as texts, addresses and dates. Bytes without a named encoding are guessed.
import { parseAddressHeader, type HeaderLines, type Headers, type StructuredHeader } from 'mailparser';
import { cleanLine } from '#core/text/clean-text.ts';
import { decodeEightBit, unmislabelled } from './charset.ts';
import { MAIL_LIMITS, type MailAddress } from './mail.ts';

export interface Header {
  /** Unfolded values by lower-case name, Latin-1 of their bytes; of a repeated field the first. */
  raw: ReadonlyMap<string, string>;
  /** Decoded subject; null when there is none. */
  subject: string | null;
  type: StructuredHeader;
  disposition: StructuredHeader;
  /** How many `Received` fields there are: how often the mail was passed on. */
  hops: number;
}

const NONE: StructuredHeader = { value: '', params: {} };

export function readHeader(headers: Headers, lines: HeaderLines): Header {
  const raw = new Map<string, string>();
  let hops = 0;
  for (const { key, line } of lines) {
    if (key === 'received') hops++;
    const value = line
      .slice(line.indexOf(':') + 1)
      .replace(/\r?\n[ \t]*/g, ' ')
      .trim();
    if (value !== '' && !raw.has(key)) raw.set(key, value);
  }
  const type = structured(headers.get('content-type'));
  return {
    raw,
    subject: subjectOf(headers, raw, type),
    type,
    disposition: structured(headers.get('content-disposition')),
    hops,
  };
}

function structured(value: ReturnType<Headers['get']>): StructuredHeader {
  return typeof value === 'object' && 'params' in value ? (value as StructuredHeader) : NONE;
}

function subjectOf(
  headers: Headers,
  raw: ReadonlyMap<string, string>,
  { params }: StructuredHeader,
): string | null {
  const bytes = raw.get('subject');
  if (bytes === undefined) return null;
  const decoded = headers.get('subject');
  return typeof decoded === 'string' && !decoded.includes('\uFFFD')
    ? unmislabelled(decoded)
    : decodeEightBit(bytes, params['charset']);
}

/** The value of a field on one line, Latin-1 of its bytes; null when it is missing or empty. */
export function rawField({ raw }: Header, name: string): string | null {
  return raw.get(name) ?? null;
}

/** The addresses of a field, those of groups among them; at most `limit`. */
export function addressesOf(
  header: Header,
  name: string,
  limit: number = MAIL_LIMITS.maxAddresses,
): MailAddress[] {
  const value = decodeEightBit(header.raw.get(name) ?? '', header.type.params['charset']);
  const { value: found } = parseAddressHeader(value, { flatten: true, decodePunycode: false });
  return found.slice(0, limit).map(({ address = '', name: given }) => {
    const shown = cleanLine(address, 320);
    const plain = cleanLine(unmislabelled(given), MAIL_LIMITS.maxNameChars);
    return { address: shown, name: plain === shown ? '' : plain.replace(/^'(.*)'$/, '$1') };
  });
}

/** Zones by names that JavaScript does not know and senders write. */
const ZONES: Readonly<Record<string, string>> = { CET: '+0100', CEST: '+0200', BST: '+0100', JST: '+0900' };

/** `Date` in milliseconds, UTC where no known zone is named; null when it is missing or unreadable. */
export function dateOf({ raw }: Header): number | null {
  const value = (raw.get('date') ?? '')
    .slice(0, 120)
    .replace(/\([^)]*\)/g, '')
    .trim();
  const [, moment = value, zone = 'UTC'] = /^(.*\d)\s*([+-]\d{2}:?\d{2}|[A-Z]\w*)$/i.exec(value) ?? [];
  const given = Date.parse(`${moment} ${ZONES[zone.toUpperCase()] ?? zone}`);
  const time = Number.isNaN(given) ? Date.parse(`${moment} UTC`) : given;
  // A time outside of living memory is a clock that was never set.
  return time > 0 && time < Date.UTC(2200, 0) ? time : null;
}
