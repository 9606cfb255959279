// Undoes a delivery's Content-Encoding (RFC 9110 §8.4) off the main thread, to at most 1 MiB.
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { MAX_HOOK_BODY_BYTES } from '#core/contract/index.ts';
import { broken, type Unreadable } from './unreadable.ts';

/** The encodings that are understood, for `Accept-Encoding` of a refusal. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** No sender encodes more than twice; a longer list is a bomb. */
const MAX_LAYERS = 2;

type Unpack = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const unzlib: Unpack = promisify(inflate);
const undeflate: Unpack = promisify(inflateRaw);
const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  // "deflate" means zlib's format; some senders leave its header out.
  deflate: (bytes, options) =>
    bytes.length > 0 && (bytes.readUInt8(0) & 0x0f) === 8
      ? unzlib(bytes, options)
      : undeflate(bytes, options),
};

/** The body without its encodings. */
export async function unpack(
  body: Buffer,
  contentEncoding: string | undefined,
): Promise<{ ok: true; bytes: Buffer } | Unreadable> {
  const layers = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity');
  const unknown = layers.find((layer) => !Object.hasOwn(unpackers, layer));
  if (unknown !== undefined || layers.length > MAX_LAYERS) {
    return {
      ok: false,
      code: 'UNSUPPORTED_MEDIA_TYPE',
      reason: `The Content-Encoding is not understood. Send the body as it is, or with one of: ${ACCEPTED_ENCODINGS}.`,
    };
  }
  let bytes = body;
  for (const layer of layers.toReversed()) {
    try {
      bytes = (await unpackers[layer]?.(bytes, { maxOutputLength: MAX_HOOK_BODY_BYTES })) ?? bytes;
    } catch (cause) {
      return isTooLarge(cause)
        ? { ok: false, code: 'PAYLOAD_TOO_LARGE', reason: 'The body is over 1 MiB once it is unpacked.' }
        : broken(`The body is not what its Content-Encoding says (${layer}): it is damaged or cut off.`);
    }
  }
  return { ok: true, bytes };
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
}
