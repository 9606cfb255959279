// The Fastify application: everything but listening. Tests build a fresh one and inject requests.
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type onRouteHookHandler,
} from 'fastify';
import { MAX_BODY_BYTES } from '#core/contract/index.ts';
import { randomCharacters } from '#core/domain/ids.ts';
import { QinboxError } from '#core/errors.ts';
import { answerUnreadable } from './unreadable.ts';
import { useBounds } from './connections/bounds.ts';
import { addAdapterRoutes } from './adapter-host/routes.ts';
import { startAdapters } from './adapter-host/start.ts';
import { addLive } from './live/routes.ts';
import type { Parts } from './parts.ts';
import { useJsonBodies } from './plugins/body.ts';
import { caller } from './plugins/caller.ts';
import { errorBody, useErrorBodies } from './plugins/errors.ts';
import { useApiHeaders, useCors } from './plugins/headers.ts';
import { checkHost } from './plugins/host.ts';
import { refuseOtherMethods } from './plugins/methods.ts';
import { SHARED_SCHEMAS, useOpenApi } from './plugins/openapi.ts';
import { answerNotFound, usePages } from './plugins/pages.ts';
import { rateLimits } from './plugins/rate-limit.ts';
import { useContractSerialization } from './plugins/serialization.ts';
import { useContractValidation } from './plugins/validation.ts';
import { addAdminRoutes } from './routes/admin.ts';
import { addAuthRoutes } from './routes/auth.ts';
import { addIntakeRoutes } from './routes/intakes.ts';
import { addSystemRoutes } from './routes/system.ts';
import { addTaskRoutes } from './routes/tasks.ts';

/** How long a request may take to arrive, and how long it may take to be answered. */
const REQUEST_TIMEOUT_MS = 10_000;
/** How often connections are looked through for requests that take too long. */
const CHECK_INTERVAL_MS = 1000;
/** How often idle connections are looked for during a shutdown. */
const IDLE_CHECK_MS = 50;
/** An id of any length is refused by name rather than by the router. */
const MAX_PARAM_CHARACTERS = 16_384;

/** Builds the application on its parts; closing it ends them. `onRoute` hears of every route, for tests. */
export async function buildApp(parts: Parts, onRoute?: onRouteHookHandler): Promise<FastifyInstance> {
  const { config, log } = parts;
  // A process of other roles still answers probes.
  const servesApi = config.roles.includes('api');
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than all that is ever logged; what is logged says its `reqId` itself.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustProxy,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: MAX_PARAM_CHARACTERS },
    forceCloseConnections: 'idle',
    http: {
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      // checkHost answers these, in the form of all other errors.
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

  if (onRoute !== undefined) app.addHook('onRoute', onRoute);
  useErrorBodies(app);
  useBounds(app, parts);
  useContractValidation(app);
  const added = parts.adapters.routes;
  const schemas = [...SHARED_SCHEMAS, ...added.flatMap(({ routes }) => routes.schemas)];
  useContractSerialization(app, schemas);
  useJsonBodies(app);
  checkHost(app);
  await useCors(app, config);
  refuseOtherMethods(app);
  await useOpenApi(app, config, { schemas, tags: added.map(({ routes }) => routes.tag) });
  await app.register(async (api) => {
    useApiHeaders(api);
    await api.register(rateLimits, parts);
    await api.register(caller, parts);
    addSystemRoutes(api, parts);
    if (servesApi) {
      addTaskRoutes(api, parts);
      addAuthRoutes(api, parts);
      addAdminRoutes(api, parts);
      addIntakeRoutes(api, parts);
      addAdapterRoutes(api, parts);
      await api.register((live) => addLive(live, parts));
    }
  });
  const stopAdapters = await startAdapters(app, parts);
  if (servesApi) await usePages(app, config);
  else answerNotFound(app);

  if (config.metricsToken !== null) parts.metrics.observe(app);
  if (log.isLevelEnabled('debug'))
    app.addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions } = request;
      const ms = Math.round(reply.elapsedTime);
      log.debug(
        { reqId: request.id, method, route: routeOptions.url, status: reply.statusCode, ms },
        'answered',
      );
      done();
    });
  // A connection that was busy when the shutdown began is let go as soon as it is idle, not when its client tires of it.
  let letGo: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    letGo = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS);
  });
  app.addHook('onClose', async () => {
    clearInterval(letGo);
    await stopAdapters();
    await parts.close();
  });
  return app;
}

function acceptableId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{1,64}$/.test(header) ? header : undefined;
}
