// Reads multipart/form-data (RFC 7578) into its fields; of a file only name, type and size.
import { gather } from './form-fields.ts';
import { broken, tooMuch, type Unreadable } from './unreadable.ts';

const MAX_PARTS = 200;
const MAX_PART_HEADER_BYTES = 4096;

interface Part {
  name: string;
  value: unknown;
  /** Whether its type is JSON. */
  isJson: boolean;
}

/** Fields by name; repeated ones as lists; a file as `{ filename, contentType, bytes }`. */
export function readMultipart(
  bytes: Buffer,
  boundary: string | null,
): { ok: true; value: Record<string, unknown>; jsonField: string | null } | Unreadable {
  if (boundary === null || boundary.length > 70) {
    return broken('The Content-Type multipart/form-data names no boundary, or one over 70 characters.');
  }
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  const ending = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const fields: Part[] = [];
  let at = bytes.indexOf(delimiter);
  for (let parts = 0; at !== -1; parts++) {
    const start = at + delimiter.length;
    if (bytes.subarray(start, start + 2).toString('latin1') === '--') {
      const value = gather(fields.map((each) => [each.name, each.value] as const));
      return { ok: true, value, jsonField: fields.find(({ isJson }) => isJson)?.name ?? null };
    }
    if (parts === MAX_PARTS) return tooMuch(`over ${MAX_PARTS} fields`);
    const next = bytes.indexOf(ending, start);
    if (next === -1) break;
    const field = readPart(bytes.subarray(start, next));
    if (field !== null) fields.push(field);
    at = next + 2;
  }
  return broken('The multipart body is cut off, or its boundary is another one than Content-Type says.');
}

function readPart(part: Buffer): Part | null {
  const end = part.indexOf('\r\n\r\n');
  if (end === -1 || end > MAX_PART_HEADER_BYTES) return null;
  const headers = part.subarray(0, end).toString('utf8');
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? '';
  const name = parameterOf(disposition, 'name');
  if (name === undefined || name === '') return null;
  const content = part.subarray(end + 4);
  const filename = parameterOf(disposition, 'filename');
  const contentType = /^content-type:\s*([\w.+/-]{1,100})/im.exec(headers)?.[1] ?? 'application/octet-stream';
  const isJson = /[/+]json$/i.test(contentType);
  // Browsers name what a program made itself "blob": it is a field with a type, and no file.
  return filename === undefined || (isJson && filename === 'blob')
    ? { name, value: content.toString('utf8'), isJson }
    : { name, value: { filename, contentType, bytes: content.length }, isJson: false };
}

/** In quotes, or without them, as .NET writes it. */
function parameterOf(disposition: string, name: string): string | undefined {
  const found = new RegExp(`[;\\s]${name}=(?:"([^"]{0,200})"|([^\\s;"]{1,200}))`, 'i').exec(disposition);
  return found?.[1] ?? found?.[2];
}
