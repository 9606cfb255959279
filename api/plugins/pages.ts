// Serves the web app: its files, and its one page, in four forms, for every address that is not the API's.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
/** The addresses of all screens: to lead to them from others by routes of their own would take memory. */
const screenPattern = new RegExp(`^(${SCREENS.map((url) => url.replaceAll(/:\w+/g, '[^/]+')).join('|')})$`);
const FOREVER = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'no-cache';

/** Serves the pages, and answers every other address: JSON below the API, the app elsewhere. */
export const pages = fp<{ config: Config }>(
  async (scope, { config }) => {
    await scope.register(pageHeaders, { config });
    // Without a build there are no files, and the pages say so.
    const files = builtFiles();
    if (files.size > 0)
      await scope.register(fastifyStatic, {
        root: WEB_ROOT,
        serve: false,
        // Built with .br and .gz twins, which are sent for the file and have no address of their own.
        preCompressed: true,
        cacheControl: false,
        setHeaders: (reply, path) =>
          void reply.header('cache-control', path.includes('/assets/') ? FOREVER : ASK_AGAIN),
      });
    addFiles(scope, files);
    addDocs(scope, files);

    if (existsSync(COMMAND_LINE) && files.size > 0)
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
    scope.setNotFoundHandler((request, reply) => {
      const [path = '', ...query] = request.url.split('?');
      const asksForPage =
        request.method === 'GET' &&
        !path.startsWith(`${API_BASE}/`) &&
        request.headers.accept?.includes('text/html') === true;
      if (!asksForPage) return nothingThere(request, reply);
      const meant = meantScreen(path);
      if (meant !== null) return reply.redirect([meant, ...query].join('?'), 302);
      return sendPage(request, reply.code(404));
    });
  },
  { name: 'pages', dependencies: ['other-methods'], encapsulate: true },
);

/** The screen that is meant by another address of it: with a slash at its end, or as the screen is called. */
function meantScreen(path: string): string | null {
  const meant = path.replace(/\/+$/, '').replace(/^\/settings(?=\/|$)/, '/admin');
  return meant !== path && screenPattern.test(meant) ? meant : null;
}

/** The paths of the files of the web app, with `/` between folders, without their compressed twins. */
function builtFiles(): ReadonlySet<string> {
  if (!existsSync(WEB_ROOT)) return new Set();
  const found = readdirSync(WEB_ROOT, { recursive: true, encoding: 'utf8', withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => relative(WEB_ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  return new Set(paths);
}

/** One route for each folder of the app: a route for each file would take 12 MiB of memory. */
function addFiles(scope: FastifyInstance, files: ReadonlySet<string>): void {
  const folders = new Set<string>();
  for (const file of files) {
    const [first = '', ...below] = file.split('/');
    if (below.length > 0) folders.add(first);
    else if (first !== `${DOCS}.html`) scope.get(`/${first}`, (_request, reply) => reply.sendFile(first));
  }
  folders.delete(DOCS);
  for (const file of files) if (!file.endsWith('.html')) scope.addReadableAddress(`/${file}`);
  for (const folder of folders)
    scope.get(`/${folder}/*`, (request, reply) => {
      const file = `${folder}/${below(request)}`;
      return files.has(file) ? reply.sendFile(file) : reply.callNotFound();
    });
}

/** The pages of the documentation, at addresses without `.html`: `/docs`, `/docs/errors` and so on. */
function addDocs(scope: FastifyInstance, files: ReadonlySet<string>): void {
  if (!files.has(`${DOCS}.html`)) return;
  scope.get(`/${DOCS}`, (_request, reply) => reply.sendFile(`${DOCS}.html`));
  const pages = [...files].filter((file) => file.startsWith(`${DOCS}/`) && file.endsWith('.html'));
  for (const page of pages) scope.addReadableAddress(`/${page.slice(0, -'.html'.length)}`);
  scope.get(`/${DOCS}/*`, (request, reply) => {
    const path = `${DOCS}/${below(request)}`;
    if (files.has(`${path}.html`)) return reply.sendFile(`${path}.html`);
    const withoutSlash = path.replace(/\/$/, '');
    if (files.has(`${withoutSlash}.html`)) return reply.redirect(`/${withoutSlash}`, 301);
    return files.has(path) && !path.endsWith('.html') ? reply.sendFile(path) : reply.callNotFound();
  });
}

/** What a request asks for below the folder of its route. */
function below(request: FastifyRequest): string {
  return (request.params as { '*': string })['*'];
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
