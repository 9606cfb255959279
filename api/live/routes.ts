// The live socket, and the ticket that a browser opens it with.
import websocket from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '#core/config.ts';
import { API_BASE, LIVE_PROTOCOL, LIVE_TICKET_TTL_MS, systemRoutes } from '#core/contract/index.ts';
import { networkOf } from '#core/domain/network.ts';
import { QinboxError } from '#core/errors.ts';
import { subjectOf, type Subject } from '#core/services/access.ts';
import { authorise, type SignedIn } from '#core/services/principal.ts';
import { endFaulty, LISTENER_LIMITS } from '../connections/listeners.ts';
import { signedIn } from '../plugins/caller.ts';
import { rateLimited } from '../plugins/rate-limit.ts';
import { isoTime } from '../present/time.ts';
import { addRoute, ok, pathOf } from '../route.ts';
import type { Parts } from '../services/services.ts';

const TICKET_PROTOCOL = 'ticket.';
/** Attempts a minute to open a socket without a ticket, from one address. */
const MAX_UPGRADES = 60;

/** `POST /live/ticket` and `GET /live`. */
export const live = fp<Pick<Parts, 'access' | 'clock' | 'config' | 'limiter' | 'live' | 'tokens'>>(
  async (app, { access, clock, config, limiter, live: hub, tokens }) => {
    await app.register(websocket, {
      options: {
        server: app.upgradesTo((path) => path === pathOf(systemRoutes.live)),
        ...LISTENER_LIMITS,
        handleProtocols: (protocols: Set<string>) => (protocols.has(LIVE_PROTOCOL) ? LIVE_PROTOCOL : false),
      },
      errorHandler: endFaulty,
      preClose(done) {
        hub.close();
        done();
      },
    });
    const countUpgrade = app.createRateLimit({
      max: MAX_UPGRADES,
      keyGenerator: ({ ip }) => `upgrade:${networkOf(ip)}`,
    });

    addRoute(app, systemRoutes.liveTicket, (request) => {
      // A page never sees why its socket is refused. Here it does.
      checkOrigin(request, config);
      const expiresAt = clock.now() + LIVE_TICKET_TTL_MS;
      return ok({
        ticket: tokens.signTicket(subjectOf(signedIn(request)), expiresAt),
        expiresAt: isoTime(expiresAt),
      });
    });

    app.route({
      method: 'GET',
      url: pathOf(systemRoutes.live),
      config: { record: systemRoutes.live },
      async preValidation(request) {
        if (!request.ws) return;
        checkOrigin(request, config);
        const ticket = offeredTicket(request);
        const principal = ticket === undefined ? await authenticate(request) : await redeem(ticket, request);
        if (!hub.hasRoom(principal.ownerId))
          throw new QinboxError('RATE_LIMITED', 'Too many live connections are open.', {
            retryAfterSeconds: 60,
          });
        request.principal = principal;
      },
      handler() {
        throw new QinboxError('UPGRADE_REQUIRED');
      },
      wsHandler(socket, request) {
        hub.add(socket, signedIn(request), isoTime(clock.now()));
      },
    });

    async function authenticate(request: FastifyRequest): Promise<SignedIn> {
      await limitUpgrade(request);
      const { authorization, 'x-api-key': apiKey } = request.headers;
      const principal = await access.authenticate({ authorization, apiKey: apiKey?.toString() });
      authorise(principal, 'read');
      return principal as SignedIn;
    }

    async function redeem(ticket: string, request: FastifyRequest): Promise<SignedIn> {
      const read = tokens.readTicket(ticket, clock.now());
      // A valid ticket was counted when it was issued; anything else counts before it is looked up.
      if (read === null) {
        await limitUpgrade(request);
        throw badTicket();
      }
      // A ticket works once: the limiter, which all processes share, counts its uses.
      const once = await limiter.take(`ticket:${read.nonce}`, [{ name: 'once', limit: 1, seconds: 60 }]);
      const principal = once.allowed ? await access.reinstate(read.subject as Subject) : null;
      if (principal === null) throw badTicket();
      return principal;
    }

    async function limitUpgrade(request: FastifyRequest): Promise<void> {
      const counted = await countUpgrade(request);
      if (!counted.isAllowed && counted.isExceeded) throw rateLimited(counted.ttl);
    }
  },
  { name: 'live', dependencies: ['rate-limit', 'caller-access', 'upgrades'], encapsulate: true },
);

function offeredTicket(request: FastifyRequest): string | undefined {
  const offered = request.headers['sec-websocket-protocol']?.split(',').map((protocol) => protocol.trim());
  return offered?.find((protocol) => protocol.startsWith(TICKET_PROTOCOL))?.slice(TICKET_PROTOCOL.length);
}

function badTicket(): QinboxError {
  return new QinboxError(
    'UNAUTHORIZED',
    `This ticket was used already or has expired. Ask for another at POST ${API_BASE}/live/ticket.`,
  );
}

// Browsers always send the origin of the page; programs need not (OWASP ASVS 5.0, 4.4.2).
function checkOrigin(request: FastifyRequest, { publicUrl, corsOrigins }: Config): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const allowed = [publicUrl, ...corsOrigins, `${request.protocol}://${request.host}`];
  if (!allowed.includes(origin))
    throw new QinboxError(
      'FORBIDDEN',
      `Live connections from ${origin} are not allowed: the server's PUBLIC_URL is ${publicUrl ?? 'not set'}.`,
    );
}
