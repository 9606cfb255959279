// The page with an absolute address of its picture, made of PUBLIC_URL: sites that show shared links need
// one. It is made and compressed once, when the server starts.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encoded } from '../encoded.ts';

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
  const send = encoded(page);

  return (request, reply) => {
    reply.header('cache-control', 'no-cache').header('etag', etag).header('vary', 'accept-encoding');
    if (reply.statusCode === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send();
    return send(request, reply.type('text/html; charset=utf-8'));
  };
}
