// Every `/tasks` call.
import type { FastifyInstance } from 'fastify';
import type { Parts } from '#api/services.ts';
import { addChangeRoutes } from './change.ts';
import { addCreateRoutes } from './create.ts';
import { addReadRoutes } from './read.ts';

/** Adds every `/tasks` call. */
export function addTaskRoutes(
  app: FastifyInstance,
  deps: Pick<Parts, 'clock' | 'inbox' | 'submissions'>,
): void {
  addCreateRoutes(app, deps.submissions);
  addReadRoutes(app, deps.inbox);
  addChangeRoutes(app, deps);
}
