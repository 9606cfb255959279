// Writes the documentation into the built web app: web/dist/docs/NAME.html for each page, and below
// docs/assets its styles, its script, its search index and its pictures, named by their content.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { build, type Plugin, type Rolldown } from 'vite';
import { drawPage, type Files } from './page.ts';
import { readSite, searchIndex } from './site.ts';

const ROOT = join(import.meta.dirname, '../..');
const ASSETS = 'docs/assets';

/** Every file of the site, by its path in the built web app. */
async function files(): Promise<Map<string, string | Uint8Array>> {
  const site = readSite(ROOT);
  const built = new Map<string, string | Uint8Array>();
  for (const [name, bytes] of site.assets) built.set(`${ASSETS}/${name}`, bytes);
  const index = searchIndex(site);
  const search = `${ASSETS}/search-${createHash('sha256').update(index).digest('hex').slice(0, 8)}.json`;
  built.set(search, index);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const client = await buildClient();
  for (const file of client) built.set(file.fileName, file.type === 'chunk' ? file.code : file.source);
  const named: Files = {
    styles: client.filter(({ fileName }) => fileName.endsWith('.css')).map(({ fileName }) => `/${fileName}`),
    script: `/${client.find((file) => file.type === 'chunk' && file.isEntry)?.fileName ?? ''}`,
    search: `/${search}`,
    version,
  };
  for (const page of site.pages) built.set(`${page.address.slice(1)}.html`, drawPage(site, page, named));
  return built;
}

async function buildClient(): Promise<(Rolldown.OutputChunk | Rolldown.OutputAsset)[]> {
  const result = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    plugins: [tailwindcss()],
    publicDir: false,
    build: {
      write: false,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: join(import.meta.dirname, 'client', 'docs.ts'),
        output: {
          entryFileNames: `${ASSETS}/[name]-[hash].js`,
          chunkFileNames: `${ASSETS}/[name]-[hash].js`,
          assetFileNames: `${ASSETS}/[name]-[hash][extname]`,
        },
      },
    },
  });
  return (result as Rolldown.RolldownOutput).output;
}

export function docs(): Plugin {
  return {
    name: 'qinbox:docs',
    async generateBundle() {
      for (const [fileName, source] of await files()) this.emitFile({ type: 'asset', fileName, source });
    },
    /** In development a page is drawn anew each time that it is opened. */
    configureServer(server) {
      let latest = new Map<string, string | Uint8Array>();
      server.middlewares.use((request, response, next) => {
        const path = (request.url ?? '').split(/[?#]/)[0]?.slice(1) ?? '';
        if (!/^docs(\/|$)/.test(path) || path.startsWith('docs/client/')) return next();
        const isAsset = path.startsWith(`${ASSETS}/`);
        const answer = async () => {
          if (!isAsset) latest = await files();
          const file = latest.get(isAsset ? path : `${path}.html`);
          if (file === undefined) return next();
          const type = {
            html: 'text/html',
            js: 'text/javascript',
            css: 'text/css',
            svg: 'image/svg+xml',
            json: 'application/json',
            png: 'image/png',
            txt: 'text/plain',
          }[isAsset ? (path.split('.').at(-1) ?? '') : 'html'];
          response.setHeader('content-type', `${type ?? 'application/octet-stream'}; charset=utf-8`);
          response.end(file);
        };
        answer().catch(next);
      });
    },
  };
}
