// Limits connections, unread answers and request bodies that callers can make this process hold. Each has a
// bound for one caller and one for all; what exceeds a bound is refused, or its connection closed.
import { Socket } from 'node:net';
import fp from 'fastify-plugin';
import type { Parts } from '../services/services.ts';
import { holdAnswers } from './answers.ts';
import { holdBodies } from './bodies.ts';
import { createPlaces } from './places.ts';
import { createPipelining } from './pipelining.ts';
import { watchProgress } from './slow-readers.ts';

/** Before all other hooks. */
export const bounds = fp<Pick<Parts, 'config' | 'metrics'>>(
  async (app, { config, metrics }) => {
    const { ended, refused } = metrics.bounds;
    const progress = watchProgress(() => ended('unread'));
    const whenItsTurn = createPipelining(() => ended('pipelined'));
    const places = createPlaces(app.server, config, (bound) => refused(`connections of ${bound}`));

    app.server.on('connection', (socket: Socket) => {
      if (places.enter(socket)) progress.watch(socket);
    });
    app.addHook('onClose', async () => progress.stop());
    app.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
      // HOST=localhost listens with a second server, whose connections are not announced.
      if (socket instanceof Socket) progress.watch(socket);
      whenItsTurn(socket, response, done);
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
  },
  { name: 'bounds', dependencies: ['error-bodies'] },
);
