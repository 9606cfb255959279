// Counts the bytes of large answers, from before they are made until the client has read them.
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { MAX_TASKS_BYTES } from '#core/contract/index.ts';
import { QinboxError } from '#core/errors.ts';
import { createAllowance, holdFor, type Allowance, type Bound, type Hold, type Limits } from './allowance.ts';

const MIB = 1024 * 1024;
const LIMITS = { perCaller: 64 * MIB, inAll: 256 * MIB };
/** Above, an answer is sent as bytes and not as text, so that it takes as much memory as is counted. */
const SMALL_CHARACTERS = 64 * 1024;
const SENTENCE = 'Too many of your answers were not read yet. Read them, then ask for more.';

interface Surroundings {
  /** Whether the client of a connection stopped reading. */
  isStalled: (socket: Socket) => boolean;
  onDropped: () => void;
  onRefused: (bound: Bound) => void;
  limits?: Limits;
}

/** Refuses calls over the bounds. When all answers together are, the oldest unread one is dropped. */
export function holdAnswers(
  app: FastifyInstance,
  { isStalled, onDropped, onRefused, limits = LIMITS }: Surroundings,
): Allowance {
  /** Oldest first. */
  const unread = new Map<FastifyReply, Hold>();
  const allowance = createAllowance(limits, dropStalled);

  function dropStalled(): boolean {
    for (const [reply, hold] of unread) {
      const { socket } = reply.request.raw;
      if (!isStalled(socket)) continue;
      hold.release();
      unread.delete(reply);
      socket.destroy();
      onDropped();
      return true;
    }
    return false;
  }

  app.addHook('onRoute', (route) => {
    if (route.config?.record?.answersMuch !== true) return;
    route.preHandler = (request, reply, done) => {
      const hold = holdFor(allowance, request, reply, MAX_TASKS_BYTES, { sentence: SENTENCE, onRefused });
      if (hold instanceof QinboxError) return done(hold);
      unread.set(reply, hold);
      for (const event of ['finish', 'close']) reply.raw.once(event, () => unread.delete(reply));
      done();
    };
    route.onSend = (_request, reply, payload: unknown, done) => {
      const sent =
        typeof payload === 'string' && payload.length > SMALL_CHARACTERS ? Buffer.from(payload) : payload;
      unread.get(reply)?.resize(typeof sent === 'string' || Buffer.isBuffer(sent) ? sent.length : 0);
      done(null, sent);
    };
  });
  return allowance;
}
