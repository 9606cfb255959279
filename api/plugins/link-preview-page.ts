// The page with an absolute address of its picture, made of PUBLIC_URL: sites that show shared links need
// one. It is made and compressed once, when the server starts.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const PICTURE = /(<meta property="og:image" content=")(\/[^"]*)(")/;

/** Sends a page from memory, in the smallest encoding that the browser accepts, or 304. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** A built page with the address of its picture made absolute. */
export function sharedPage(path: string, publicUrl: string): SendPage {
  const page = Buffer.from(
    readFileSync(path, 'utf8').replace(
      PICTURE,
      (_all, before: string, picture: string, after: string) =>
        before + new URL(picture, publicUrl).href + after,
    ),
  );
  const etag = `"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`;
  const forms = [
    ['br', brotliCompressSync(page)],
    ['gzip', gzipSync(page)],
  ] as const;

  return (request, reply) => {
    reply.header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept-encoding');
    if (reply.statusCode === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send();
    reply.type('text/html; charset=utf-8');
    const taken = takenEncodings(request.headers['accept-encoding']);
    const [encoding, body] = forms.find(([name]) => taken.has(name)) ?? [null, page];
    if (encoding !== null) reply.header('content-encoding', encoding);
    return reply.send(body);
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
