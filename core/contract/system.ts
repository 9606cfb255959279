// What programs and probes ask about the server itself.
import { Type, type Static } from 'typebox';
import { defineRoute, errors, IsoTime, refTo } from './common.ts';

const success = Type.Literal(true);
const tag = ['System'];

/** What the web app needs to know before anyone is signed in. Nothing secret. */
export const PublicConfig = Type.Object(
  {
    productName: Type.String(),
    version: Type.String(),
    googleClientId: Type.Union([Type.String(), Type.Null()]),
    signIn: Type.Object({ google: Type.Boolean(), email: Type.Boolean(), apiKey: Type.Boolean() }),
    supportEmail: Type.Union([Type.String(), Type.Null()], {
      description: 'Whom people write to when they need help.',
    }),
    guestQueue: Type.Boolean({ description: 'Whether guests may read a public queue.' }),
    adapters: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
  },
  { $id: 'PublicConfig' },
);
export type PublicConfig = Static<typeof PublicConfig>;

/** One part that `/ready` asks. */
export const PartState = Type.Object({
  name: Type.String(),
  ok: Type.Boolean(),
  detail: Type.Optional(Type.String()),
});
export type PartState = Static<typeof PartState>;

const Health = Type.Object({ success, status: Type.Literal('ok'), serverTime: IsoTime });

const health = {
  method: 'GET',
  path: '/health',
  access: 'public',
  limit: 'none',
} as const;

export const systemRoutes = {
  health: defineRoute({
    ...health,
    schema: {
      operationId: 'health',
      summary: 'The process answers',
      tags: tag,
      response: { 200: Health },
    },
  }),
  rootHealth: defineRoute({
    ...health,
    base: '',
    schema: {
      operationId: 'rootHealth',
      summary: 'The process answers',
      tags: tag,
      response: { 200: Health },
    },
  }),
  ready: defineRoute({
    method: 'GET',
    path: '/ready',
    base: '',
    access: 'public',
    limit: 'none',
    schema: {
      operationId: 'ready',
      summary: 'Store and queue answer',
      tags: tag,
      response: {
        200: Type.Object({ success, parts: Type.Array(PartState) }),
        503: Type.Object({
          success: Type.Literal(false),
          error: Type.String(),
          code: Type.String(),
          requestId: Type.String(),
          parts: Type.Array(PartState),
        }),
      },
    },
  }),
  metrics: defineRoute({
    method: 'GET',
    path: '/metrics',
    base: '',
    access: 'metrics',
    limit: 'none',
    schema: {
      operationId: 'metrics',
      summary: 'Measurements for Prometheus',
      description: 'With `Authorization: Bearer` and the METRICS_TOKEN. 404 where no token is configured.',
      tags: tag,
      response: { 200: Type.String({ description: 'Prometheus text format.' }), ...errors(404) },
    },
  }),
  config: defineRoute({
    method: 'GET',
    path: '/config',
    access: 'public',
    limit: 'none',
    schema: {
      operationId: 'publicConfig',
      summary: 'What is switched on',
      tags: tag,
      response: { 200: Type.Object({ success, config: refTo(PublicConfig) }) },
    },
  }),
  openapi: defineRoute({
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    limit: 'none',
    schema: {
      operationId: 'openapi',
      summary: 'This document (OpenAPI 3.1)',
      tags: tag,
      response: { 200: Type.Record(Type.String(), Type.Unknown()) },
    },
  }),
  live: defineRoute({
    method: 'GET',
    path: '/live',
    access: 'public',
    limit: 'none',
    schema: {
      operationId: 'live',
      summary: 'Follow the queue over a WebSocket',
      description:
        'Subprotocol `qinbox.v1`. A browser proves itself with the subprotocol `ticket.<ticket>`, a program with `x-api-key` or `Authorization`. ' +
        'The server sends JSON: `hello`, `task.created|updated|acknowledged|restored|expired`, `queue.reset`.',
      tags: ['Live'],
      response: {
        101: Type.Null({ description: 'Switching to the WebSocket protocol.' }),
        ...errors(401, 403, 426),
      },
    },
  }),
  liveTicket: defineRoute({
    method: 'POST',
    path: '/live/ticket',
    access: 'read',
    schema: {
      operationId: 'liveTicket',
      summary: 'Get a ticket for the live socket',
      description:
        'Good once, for 30 seconds, as the WebSocket subprotocol `ticket.<ticket>` beside `qinbox.v1`.',
      tags: ['Live'],
      response: { 201: Type.Object({ success, ticket: Type.String(), expiresAt: IsoTime }), ...errors(503) },
    },
  }),
};
