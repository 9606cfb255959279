// Serves the web app: its files, and its one page for every address that is not the API's.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { API_BASE } from '#core/contract/index.ts';
import type { Config } from '#core/config.ts';
import { QinboxError } from '#core/errors.ts';
import { sendError } from './errors.ts';
import { usePageHeaders } from './headers.ts';

/** Where the built web app is. */
const WEB_ROOT = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const NOT_BUILT = '<!doctype html><title>Qinbox</title><p>The web app is not built. Run: npm run build';
/** Addresses that the web app has a screen for; every other one is answered 404, with the screen that says so. */
const SCREENS = new Set(['/', '/inbox', '/api-docs', '/admin', '/admin/system']);

/** Serves the pages and answers what nobody else did: JSON below the API, the app elsewhere. */
export async function usePages(app: FastifyInstance, config: Config): Promise<void> {
  const built = existsSync(join(WEB_ROOT, 'index.html'));
  const page = built ? readFileSync(join(WEB_ROOT, 'index.html'), 'utf8') : NOT_BUILT;

  await app.register(async (scope) => {
    await usePageHeaders(scope, config);
    for (const url of SCREENS)
      scope.get(url, (_request, reply) =>
        reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page),
      );
    if (built)
      await scope.register(fastifyStatic, {
        root: WEB_ROOT,
        index: false,
        wildcard: false,
        setHeaders(response, path) {
          void response.header(
            'cache-control',
            path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
          );
        },
      });
    scope.setNotFoundHandler((request, reply) => {
      const path = request.url.split('?')[0] as string;
      const wantsPage =
        request.method === 'GET' &&
        !path.startsWith(`${API_BASE}/`) &&
        request.headers.accept?.includes('text/html') === true;
      if (wantsPage)
        return reply
          .code(404)
          .type('text/html; charset=utf-8')
          .header('cache-control', 'no-cache')
          .send(page);
      reply.header('x-request-id', request.id);
      return sendError(
        request,
        reply,
        new QinboxError('NOT_FOUND', `There is nothing at ${request.method} ${path.slice(0, 200)}.`),
      );
    });
  });
}
