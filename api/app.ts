// The Fastify application: everything but listening. Tests build a fresh one and inject requests.
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type onRouteHookHandler,
} from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '#core/config.ts';
import { MAX_BODY_BYTES } from '#core/contract/index.ts';
import { randomCharacters } from '#core/domain/ids.ts';
import { QinboxError } from '#core/errors.ts';
import { addressesOf } from './addresses.ts';
import { answerUnreadable } from './connections/unreadable.ts';
import { bounds } from './connections/bounds.ts';
import { closeConnections } from './connections/closing.ts';
import { upgrades } from './connections/upgrades.ts';
import { addAdapterRoutes } from './adapter-host/routes.ts';
import { startAdapters } from './adapter-host/start.ts';
import { live } from './live/routes.ts';
import type { Parts } from './services/services.ts';
import { jsonBodies } from './plugins/body.ts';
import { caller } from './plugins/caller.ts';
import { errorBodies, errorBody } from './plugins/errors.ts';
import { apiHeaders, otherOrigins } from './plugins/headers.ts';
import { hostCheck } from './plugins/host.ts';
import { otherMethods } from './plugins/methods.ts';
import { openApi, SHARED_SCHEMAS } from './plugins/openapi.ts';
import { noPages, pages } from './plugins/pages.ts';
import { rateLimits } from './plugins/rate-limit.ts';
import { requestTraces } from './plugins/request-traces.ts';
import { serialization } from './plugins/serialization.ts';
import { validation } from './plugins/validation.ts';
import { PRODUCT } from './product.ts';
import { readiness } from './health/readiness.ts';
import { addAccountRoutes } from './routes/account.ts';
import { addAdminRoutes } from './routes/admin.ts';
import { addAuthRoutes } from './routes/auth.ts';
import { addIntakeRoutes } from './routes/intakes.ts';
import { addPushRoutes } from './routes/push.ts';
import { addSystemRoutes } from './routes/system.ts';
import { addChangeRoutes } from './routes/tasks/change.ts';
import { addCreateRoutes } from './routes/tasks/create.ts';
import { addReadRoutes } from './routes/tasks/read.ts';
import { addViewRoutes } from './routes/views.ts';
import { addFollowUpRoutes } from './routes/follow-ups.ts';
import { addWebhookRoutes } from './routes/webhooks.ts';

/** Time for a request to arrive, and for its answer. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Time for an adapter to start. A limit for one that hangs: a small machine takes over 10 s to load one. */
const START_TIMEOUT_MS = 120_000;
/** Interval of the search for requests that take too long. */
const CHECK_INTERVAL_MS = 1000;
/** So that an id of any length reaches validation, which names it. */
const MAX_PARAM_CHARACTERS = 16_384;

/** Closing the application closes its parts. `onRoute` is called for every route, for tests. */
export async function buildApp(parts: Parts, onRoute?: onRouteHookHandler): Promise<FastifyInstance> {
  const { config, log } = parts;
  // A process without the role `api` still answers probes.
  const servesApi = config.roles.includes('api');
  const app = createServer(config, log);
  const deps = { ...parts, settings: addressesOf(config, app.server) };
  parts.goTo(() => deps.settings.publicUrl);
  const added = parts.adapters.routes;
  const schemas = [...SHARED_SCHEMAS, ...added.flatMap(({ routes }) => routes.schemas)];

  if (onRoute !== undefined) app.addHook('onRoute', onRoute);
  await app.register(errorBodies, parts);
  await app.register(requestTraces, parts);
  await app.register(bounds, parts);
  await app.register(upgrades);
  await app.register(validation);
  await app.register(serialization, { schemas });
  await app.register(jsonBodies);
  await app.register(hostCheck);
  await app.register(otherOrigins, { config });
  await app.register(otherMethods);
  await app.register(openApi, { config, schemas, tags: added.map(({ routes }) => routes.tag) });
  await app.register(async (api) => {
    await api.register(apiHeaders);
    await api.register(rateLimits, parts);
    await api.register(caller, parts);
    addSystemRoutes(api, parts);
    if (!servesApi) return;
    addCreateRoutes(api, parts.submissions);
    addReadRoutes(api, parts.inbox);
    addChangeRoutes(api, parts);
    addAuthRoutes(api, parts);
    addAdminRoutes(api, deps);
    addIntakeRoutes(api, deps);
    addViewRoutes(api, parts);
    addPushRoutes(api, parts);
    addWebhookRoutes(api, parts);
    addFollowUpRoutes(api, parts);
    addAccountRoutes(api, parts);
    addAdapterRoutes(api, deps);
    await api.register(live, parts);
  });
  const stopAdapters = await startAdapters(app, deps);
  await app.register(servesApi ? pages : noPages, { config });

  if (config.metricsToken !== null) measure(app, parts);
  if (log.isLevelEnabled('debug')) logAnswers(app);
  closeConnections(app);
  app.addHook('onClose', async () => {
    await stopAdapters();
    await parts.close();
  });
  return app;
}

function measure(app: FastifyInstance, parts: Parts): void {
  const { bus, config, metrics, sweepLagMs } = parts;
  metrics.observe(app);
  metrics.measureParts({
    version: PRODUCT.version,
    role: config.roles.join(','),
    bus,
    readiness: () => readiness(parts),
    sweepLagMs,
  });
}

function createServer(config: Config, log: Logger): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than all that is logged; entries name their `reqId`.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustProxy,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    pluginTimeout: START_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_CHARACTERS },
    forceCloseConnections: 'idle',
    // What comes while the program stops is answered: connections/closing.ts.
    return503OnClosing: false,
    http: {
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      // The plugin host-check refuses requests without one, with the body of all other errors.
      requireHostHeader: false,
    },
    genReqId: ({ headers }) => acceptableId(headers['x-request-id']) ?? randomCharacters(16),
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, _request, reply: FastifyReply) => {
      const refused = new QinboxError('VALIDATION_ERROR', 'The address of this request is not valid.', {
        cause: error,
      });
      void reply.code(refused.status).send(errorBody(refused, randomCharacters(16)));
    },
  }) as unknown as FastifyInstance;
}

function acceptableId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{1,64}$/.test(header) ? header : undefined;
}

function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', ({ id: reqId, method, routeOptions, log }, reply, done) => {
    const ms = Math.round(reply.elapsedTime);
    log.debug({ reqId, method, route: routeOptions.url, status: reply.statusCode, ms }, 'answered');
    done();
  });
}
