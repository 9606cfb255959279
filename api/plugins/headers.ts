// Security headers: a few on every answer of the API, the whole set on pages; and CORS.
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { Config } from '#core/config.ts';

/** Headers that scripts of the listed origins may read. */
const EXPOSED = [
  'etag',
  'idempotency-replayed',
  'retry-after',
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
];

/** For answers of the API, which are data and never a page. */
export const apiHeaders = fp(
  async (app) => {
    app.addHook('onRequest', (request, reply, done) => {
      setApiHeaders(request, reply);
      done();
    });
  },
  { name: 'api-headers' },
);

/** As {@link apiHeaders}, for one answer. */
export function setApiHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  reply.header('cache-control', 'no-store');
  reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
}

/** For pages: a strict Content-Security-Policy, no frames, no referrer beyond our own origin. */
export const pageHeaders = fp<{ config: Config }>(
  async (app, { config }) => {
    const secure = config.publicUrl?.startsWith('https:') === true;
    const google = googleSources(config);
    await app.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'", ...google.script],
          styleSrc: ["'self'", ...google.style],
          imgSrc: ["'self'", 'data:', 'https:'],
          connectSrc: ["'self'", ...liveSources(config), ...google.frame],
          frameSrc: google.frame.length === 0 ? ["'none'"] : google.frame,
          fontSrc: ["'self'"],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          ...(secure ? { upgradeInsecureRequests: [] } : {}),
        },
      },
      strictTransportSecurity: secure,
      crossOriginEmbedderPolicy: false,
      // Google's sign-in answers through a window that it opens.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      referrerPolicy: { policy: 'same-origin' },
    });
  },
  { name: 'page-headers' },
);

// As Google's documentation of its sign-in button asks for; nothing while that sign-in is off.
function googleSources({ google }: Config): { script: string[]; style: string[]; frame: string[] } {
  if (google === null) return { script: [], style: [], frame: [] };
  const gsi = 'https://accounts.google.com/gsi/';
  return { script: [`${gsi}client`], style: [`${gsi}style`], frame: [gsi] };
}

// Some browsers do not count a WebSocket of the same host as 'self'.
function liveSources({ publicUrl }: Config): string[] {
  return publicUrl === null ? [] : [publicUrl.replace(/^http/, 'ws')];
}

/** Lets the listed origins call the API from a browser. None unless the operator lists some. */
export const otherOrigins = fp<{ config: Config }>(
  async (app, { config: { corsOrigins } }) => {
    if (corsOrigins.length === 0) return;
    await app.register(cors, {
      origin: [...corsOrigins],
      methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: EXPOSED,
      maxAge: 600,
    });
  },
  { name: 'other-origins' },
);
