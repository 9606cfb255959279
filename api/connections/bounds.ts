// What callers can make this process hold for them over HTTP: connections, answers that they do not read, bodies that they send.
// Each has a bound for one caller and one for all; what is over a bound is refused with a sentence, or its connection closed.
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Parts } from '../parts.ts';
import { holdAnswers } from './answers.ts';
import { holdBodies } from './bodies.ts';
import { createPlaces } from './places.ts';
import { watchProgress } from './progress.ts';
import { createTurns } from './turns.ts';

/** Holds `app` to the bounds. Before all other hooks. */
export function useBounds(app: FastifyInstance, { config, metrics }: Parts): void {
  const { ended, refused } = metrics.bounds;
  const progress = watchProgress(() => ended('unread'));
  const turns = createTurns(() => ended('pipelined'));
  const places = createPlaces(app.server, config, (bound) => refused(`connections of ${bound}`));

  app.server.on('connection', (socket: Socket) => {
    if (places.enter(socket)) progress.watch(socket);
  });
  app.addHook('onClose', async () => progress.stop());
  app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    // HOST=localhost listens with a second server, which tells nobody of its connections.
    if (socket instanceof Socket) progress.watch(socket);
    turns.await(socket, response, done);
  });

  const bodies = holdBodies(app, (bound) => refused(`bodies of ${bound}`));
  const answers = holdAnswers(app, {
    isStalled: (socket) => progress.isStalled(socket),
    onDropped: () => ended('unread'),
    onRefused: (bound) => refused(`answers of ${bound}`),
  });
  metrics.watchBounds({
    connections: () => places.count(),
    answerBytes: () => answers.total(),
    bodyBytes: () => bodies.total(),
  });
}
