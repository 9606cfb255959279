// Reads the Idempotency-Key header (IETF draft-ietf-httpapi-idempotency-key-header-07), quoted or bare.
import type { FastifyRequest } from 'fastify';
import { principalKey } from '#core/services/principal.ts';
import { signedIn } from '#api/plugins/caller.ts';

const FIELD = 'idempotency-key';

/** The request's key with whose it is, as a submission wants it; an empty object when there is none. */
export function idempotencyOf(request: FastifyRequest): { idempotency?: { scope: string; key: string } } {
  const header = request.headers[FIELD];
  if (header === undefined) return {};
  return { idempotency: { scope: principalKey(signedIn(request)), key: readKey(String(header)) } };
}

// Its form was checked by the contract.
function readKey(header: string): string {
  return header.startsWith('"') ? header.slice(1, -1).replace(/\\(["\\])/g, '$1') : header;
}
