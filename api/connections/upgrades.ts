// The server's upgrade requests, by path: each part of the program that opens WebSockets sees its own.
import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import fp from 'fastify-plugin';
import { systemRoutes } from '#core/contract/index.ts';
import { QinboxError } from '#core/errors.ts';
import { pathOf } from '../route.ts';
import { answerByHand } from './unreadable.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** A server that emits the upgrades to these paths, so that a plugin's hooks run for no other request. */
    upgradesTo(isMine: (path: string) => boolean): Server;
  }
}

const NOT_HERE = new QinboxError(
  'VALIDATION_ERROR',
  `This address cannot be upgraded to a WebSocket; ${pathOf(systemRoutes.live)} can.`,
);

/** Refuses upgrades to addresses that nobody asked for. */
export const upgrades = fp(
  async (app) => {
    const parts: { isMine: (path: string) => boolean; server: EventEmitter }[] = [];
    app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      const path = request.url?.split('?')[0] ?? '';
      const part = parts.find(({ isMine }) => isMine(path));
      if (part === undefined) answerByHand(socket, '400 Bad Request', NOT_HERE);
      else part.server.emit('upgrade', request, socket, head);
    });
    app.decorate('upgradesTo', (isMine: (path: string) => boolean) => {
      const server = new EventEmitter();
      parts.push({ isMine, server });
      return server as Server;
    });
  },
  { name: 'upgrades' },
);
