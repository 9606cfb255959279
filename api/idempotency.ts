// Reads the Idempotency-Key header (IETF draft-ietf-httpapi-idempotency-key-header-07): a quoted string, or bare as many send it.
import type { FastifyRequest } from 'fastify';
import { MAX_KEY_CHARACTERS } from '#core/contract/index.ts';
import { invalid } from '#core/errors.ts';
import { principalKey } from '#core/services/principal.ts';
import { signedIn } from './plugins/caller.ts';

const FIELD = 'idempotency-key';

/** The request's key with whose it is, as the ingest service wants it; an empty object when there is none. */
export function idempotencyOf(request: FastifyRequest): { idempotency?: { scope: string; key: string } } {
  const header = request.headers[FIELD];
  if (header === undefined) return {};
  return { idempotency: { scope: principalKey(signedIn(request)), key: readKey(String(header)) } };
}

function readKey(header: string): string {
  const text = header.trim();
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text);
  const key = quoted?.[1] === undefined ? text : quoted[1].replace(/\\(["\\])/g, '$1');
  if (key === '' || key.length > MAX_KEY_CHARACTERS || !/^[\x20-\x7e]+$/.test(key))
    throw invalid([
      { field: FIELD, message: `must be 1 to ${MAX_KEY_CHARACTERS} printable ASCII characters` },
    ]);
  return key;
}
