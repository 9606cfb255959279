// Serves the web app: its files, and its one page, in four forms, for every address that is not the API's.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { API_BASE } from '#core/contract/protocol.ts';
import { SCREENS } from '#core/contract/screens.ts';
import type { Config } from '#core/config.ts';
import { sendError } from './errors.ts';
import { pageHeaders } from './headers.ts';
import { nothingHere } from './methods.ts';
import { sharedPage, type SendPage } from './link-preview-page.ts';

/** Where the built web app is. */
const WEB_ROOT = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const PAGE = 'index.html';
/** The same page with a screen already drawn in it, and the names of all files that it needs. */
const LANDING = 'landing.html';
const API_DOCS = 'api-docs.html';
const NOT_BUILT = '<!doctype html><title>Qinbox</title><p>The web app is not built. Run: npm run build';
/** The same page with the names of all files that the inbox needs. */
const INBOX = 'inbox.html';
const OWN_PAGES: Readonly<Record<string, string>> = {
  '/': LANDING,
  '/api-docs': API_DOCS,
  '/inbox': INBOX,
};
/** The pages of the documentation, built into files: `docs.html`, and those of this folder. */
const DOCS = 'docs';
/** The command line as one file, and where it is served; its address is in docs/cli.md. */
const COMMAND_LINE = fileURLToPath(new URL('../../dist/qinbox', import.meta.url));
const COMMAND_LINE_URL = '/cli/qinbox';
const FOREVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';

/** Serves the pages, and answers every other address: JSON below the API, the app elsewhere. */
export const pages = fp<{ config: Config }>(
  async (scope, { config }) => {
    await scope.register(pageHeaders, { config });
    // Without a build there are no files, and the pages say so.
    if (existsSync(WEB_ROOT))
      await scope.register(fastifyStatic, {
        root: WEB_ROOT,
        index: false,
        wildcard: false,
        // Built with .br and .gz twins, which are sent for the file and have no address of their own.
        preCompressed: true,
        globIgnore: ['**/*.br', '**/*.gz', 'docs.html', 'docs/**/*.html'],
        cacheControl: false,
        setHeaders: (reply, path) =>
          void reply.header('cache-control', path.includes('/assets/') ? FOREVER : ASK_AGAIN),
      });

    if (existsSync(COMMAND_LINE) && existsSync(WEB_ROOT))
      scope.get(COMMAND_LINE_URL, (_request, reply) =>
        reply
          .header('content-disposition', `attachment; filename="${basename(COMMAND_LINE)}"`)
          .sendFile(basename(COMMAND_LINE), dirname(COMMAND_LINE)),
      );

    const sendPage = pageSender(PAGE, config.publicUrl);
    for (const url of SCREENS) {
      const own = OWN_PAGES[url];
      scope.get(url, own === undefined ? sendPage : pageSender(own, config.publicUrl));
    }
    for (const page of docsPages())
      for (const url of [page, `${page}/`])
        scope.get(url, (_request, reply) =>
          url === page ? reply.sendFile(`${page.slice(1)}.html`) : reply.redirect(page, 301),
        );
    scope.setNotFoundHandler((request, reply) => {
      const path = request.url.split('?')[0] as string;
      const asksForPage =
        request.method === 'GET' &&
        !path.startsWith(`${API_BASE}/`) &&
        request.headers.accept?.includes('text/html') === true;
      if (asksForPage) return sendPage(request, reply.code(404));
      return nothingThere(request, reply);
    });
  },
  { name: 'pages', dependencies: ['other-methods'], encapsulate: true },
);

/** The addresses of the documentation that was built: `/docs`, `/docs/errors` and so on. */
function docsPages(): string[] {
  const folder = join(WEB_ROOT, DOCS);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const below = files.filter((file) => file.endsWith('.html')).map((file) => file.slice(0, -'.html'.length));
  return [`/${DOCS}`, ...below.map((path) => `/${DOCS}/${path.replaceAll('\\', '/')}`)];
}

function pageSender(page: string, publicUrl: string | null): SendPage {
  const path = join(WEB_ROOT, page);
  if (!existsSync(path)) return (_request, reply) => reply.type('text/html; charset=utf-8').send(NOT_BUILT);
  return publicUrl === null ? (_request, reply) => reply.sendFile(page) : sharedPage(path, publicUrl);
}

/** For processes without pages: answers every other address with JSON. */
export const noPages = fp(
  async (app) => {
    app.setNotFoundHandler(nothingThere);
  },
  { name: 'no-pages', dependencies: ['other-methods'] },
);

function nothingThere(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('x-request-id', request.id);
  return sendError(request, reply, nothingHere(request));
}
