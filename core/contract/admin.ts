// What administrators see and do: how the server stands, and what could not become a task.
import { Type, type Static } from 'typebox';
import { errors, id, IsoTime, nullable, oneOf, refTo, routesTagged, shape, success } from './common.ts';
import { PartState } from './system.ts';

const route = routesTagged('Administration');

/**
 * A submission that could not become a task; kept 24 hours. Its content is shown so that a person can judge.
 */
export const Rejected = shape('Rejected', {
  id: Type.String(),
  adapter: Type.String(),
  owner: nullable(Type.String({ description: 'E-mail address.' })),
  content: Type.String({ description: 'Of its first task.' }),
  tasks: Type.Integer({ description: 'How many tasks it would have made.' }),
  code: Type.String(),
  reason: Type.String(),
  attempts: Type.Integer(),
  submittedAt: IsoTime,
  rejectedAt: IsoTime,
  requestId: Type.String(),
});
export type Rejected = Static<typeof Rejected>;

/** How the server stands, as this process sees it. */
export const Overview = shape('Overview', {
  version: Type.String(),
  size: oneOf(['embedded', 'production']),
  startedAt: IsoTime,
  parts: Type.Array(PartState),
  queue: Type.Array(
    Type.Object({
      adapter: Type.String(),
      waiting: Type.Integer(),
      active: Type.Integer(),
      oldestMs: Type.Integer({ description: 'How long the one that waits longest has waited.' }),
    }),
  ),
  rejected: Type.Integer(),
  liveConnections: Type.Integer({ description: 'Of this process.' }),
  tasksCreated: Type.Object({
    lastMinute: Type.Integer({ description: 'By this process.' }),
    lastHour: Type.Integer({ description: 'By this process.' }),
  }),
  users: Type.Array(
    Type.Object({
      id: Type.String(),
      email: Type.String(),
      name: Type.String(),
      is_admin: Type.Boolean(),
      is_active: Type.Boolean(),
      last_login: nullable(IsoTime),
    }),
  ),
});
export type Overview = Static<typeof Overview>;

export const adminRoutes = {
  overview: route('GET', '/admin/overview', 'admin', {
    answersMuch: true,
    operationId: 'adminOverview',
    summary: 'How the server stands',
    response: { 200: Type.Object({ success, overview: refTo(Overview) }) },
  }),
  rejected: route('GET', '/admin/rejected', 'admin', {
    answersMuch: true,
    operationId: 'listRejected',
    summary: 'List submissions that could not become tasks',
    description: 'The latest of the last 24 hours: at most 200, and as many as 1 MiB holds.',
    response: { 200: Type.Object({ success, rejected: Type.Array(refTo(Rejected)) }) },
  }),
  retry: route('POST', '/admin/rejected/:id/retry', 'admin', {
    operationId: 'retryRejected',
    summary: 'Submit a rejected submission again',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404, 409, 422) },
  }),
  discard: route('DELETE', '/admin/rejected/:id', 'admin', {
    operationId: 'discardRejected',
    summary: 'Discard a rejected submission',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404) },
  }),
};
