// A body that never changes, compressed once, and sent in the smallest form that the caller takes.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A tenth larger than with the best one, 11, in a sixtieth of its time (2.7 ms for 430 kB). */
const QUALITY = 6;

/** Sends the body, with `content-encoding` and `vary`. */
export type SendEncoded = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

export function encoded(body: Buffer): SendEncoded {
  const forms = [
    ['br', brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })],
    ['gzip', gzipSync(body)],
  ] as const;
  return (request, reply) => {
    const taken = takenEncodings(request.headers['accept-encoding']);
    const [encoding, form] = forms.find(([name]) => taken.has(name)) ?? [null, body];
    if (encoding !== null) reply.header('content-encoding', encoding);
    return reply.header('vary', 'accept-encoding').send(form);
  };
}

// RFC 9110, section 12.5.3; a weight of 0 refuses.
function takenEncodings(header: string | string[] | undefined): ReadonlySet<string> {
  const names = String(header ?? '')
    .split(',')
    .map((each) => each.trim().split(/\s*;\s*q=/))
    .filter(([, weight]) => weight === undefined || Number(weight) > 0)
    .map(([name]) => name as string);
  return new Set(names);
}
