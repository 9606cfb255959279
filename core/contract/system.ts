// What programs and probes ask about the server itself.
import { Type, type Static } from 'typebox';
import { errors, IsoTime, nullable, refTo, routesTagged, shape, success } from './common.ts';
import { LiveMessage } from './live.ts';

const route = routesTagged('System');
const liveRoute = routesTagged('Live');

/** What the web app needs to know before anyone is signed in. Nothing secret. */
export const PublicConfig = shape('PublicConfig', {
  productName: Type.String(),
  version: Type.String(),
  googleClientId: nullable(Type.String()),
  signIn: Type.Object({
    google: Type.Boolean(),
    email: Type.Boolean(),
    apiKey: Type.Boolean(),
    linkCommand: Type.String({ description: 'What prints a sign-in link, on the server.' }),
  }),
  supportEmail: nullable(Type.String(), { description: 'Whom people write to when they need help.' }),
  guestQueue: Type.Boolean({ description: 'Whether guests may read a public queue.' }),
  adapters: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })),
});
export type PublicConfig = Static<typeof PublicConfig>;

/** One part that `/ready` asks. */
export const PartState = Type.Object({
  name: Type.String(),
  ok: Type.Boolean(),
  detail: Type.Optional(Type.String()),
});
export type PartState = Static<typeof PartState>;

const Health = Type.Object({ success, status: Type.Literal('ok'), serverTime: IsoTime });

export const systemRoutes = {
  health: route('GET', '/health', 'public', {
    limit: 'none',
    operationId: 'health',
    summary: 'The process answers',
    response: { 200: Health },
  }),
  rootHealth: route('GET', '/health', 'public', {
    limit: 'none',
    base: '',
    operationId: 'rootHealth',
    summary: 'The process answers',
    response: { 200: Health },
  }),
  ready: route('GET', '/ready', 'public', {
    base: '',
    limit: 'none',
    operationId: 'ready',
    summary: 'Store and queue answer',
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
  }),
  metrics: route('GET', '/metrics', 'metrics', {
    base: '',
    limit: 'none',
    operationId: 'metrics',
    summary: 'Measurements for Prometheus',
    description: 'With `Authorization: Bearer` and the METRICS_TOKEN. 404 where no token is configured.',
    produces: 'text/plain',
    response: { 200: Type.String({ description: 'Prometheus text format.' }), ...errors(404) },
  }),
  config: route('GET', '/config', 'public', {
    limit: 'none',
    operationId: 'publicConfig',
    summary: 'What is switched on',
    response: { 200: Type.Object({ success, config: refTo(PublicConfig) }) },
  }),
  openapi: route('GET', '/openapi.json', 'public', {
    limit: 'none',
    operationId: 'openapi',
    summary: 'This document (OpenAPI 3.1)',
    response: { 200: Type.Record(Type.String(), Type.Unknown()) },
  }),
  live: liveRoute('GET', '/live', 'public', {
    limit: 'none',
    operationId: 'live',
    summary: 'Follow the queue over a WebSocket',
    description:
      'Subprotocol `qinbox.v1`. A browser proves itself with the subprotocol `ticket.<ticket>`, a program with `x-api-key` or `Authorization`. ' +
      'The server sends JSON, each message a `LiveMessage`: `hello`, `task.created|updated|acknowledged|restored|expired`, `queue.reset`.',
    messages: refTo(LiveMessage),
    response: {
      101: Type.Null({ description: 'Switching to the WebSocket protocol.' }),
      ...errors(401, 403, 426),
    },
  }),
  liveTicket: liveRoute('POST', '/live/ticket', 'read', {
    operationId: 'liveTicket',
    summary: 'Get a ticket for the live socket',
    description:
      'Good once, for 30 seconds, as the WebSocket subprotocol `ticket.<ticket>` beside `qinbox.v1`.',
    response: { 201: Type.Object({ success, ticket: Type.String(), expiresAt: IsoTime }), ...errors(503) },
  }),
};
