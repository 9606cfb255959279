// Counts the bytes of request bodies, from before they are read until the request is answered.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { QinboxError } from '#core/errors.ts';
import { createAllowance, holdFor, type Allowance, type Bound } from './allowance.ts';
import { expectLongBody } from './long-bodies.ts';

const MIB = 1024 * 1024;
const LIMITS = { perCaller: 32 * MIB, inAll: 128 * MIB };
/** Smaller ones are not counted: one from each possible connection is less than the limit for all. */
const SMALL_BYTES = 16 * 1024;
const SENTENCE = 'Too much of what you send is still on its way. Wait for answers, then send more.';

/** Refuses requests whose bodies exceed the bounds, before they are read. */
export function holdBodies(app: FastifyInstance, onRefused: (bound: Bound) => void): Allowance {
  const allowance = createAllowance(LIMITS);
  // After the caller is known, before the body is read.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const bytes = bytesOf(request);
    if (bytes <= SMALL_BYTES) return done();
    const held = holdFor(allowance, request, reply, bytes, { sentence: SENTENCE, onRefused });
    if (held instanceof QinboxError) return done(held);
    expectLongBody(request.raw);
    done();
  });
  return allowance;
}

// A chunked body does not say its length: the most that the route keeps.
function bytesOf({ headers, routeOptions }: FastifyRequest): number {
  const length = headers['content-length'];
  const limit = routeOptions.config?.heldBytes ?? routeOptions.bodyLimit ?? 0;
  if (length !== undefined) return Math.min(Number(length), limit);
  return headers['transfer-encoding'] === undefined ? 0 : limit;
}
