// Writes sw.js: the hand-written worker in one file, with the list of the files that it caches, by content.
// Browsers fetch again only the files that have changed.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** One after the other, they are the worker. */
const SOURCES = ['sw.mjs', 'push.mjs'].map((name) => join(import.meta.dirname, 'worker', name));
const PLACEHOLDER = "{ version: 'none', paths: [] }";
/** The app's page and all of its files; not the files of other pages or programs. */
const CACHED = /^(index\.html|theme\.js|favicon\.svg|manifest\.webmanifest|assets\/.+\.(js|css))$/;

export function serviceWorker(): Plugin {
  return {
    name: 'qinbox:service-worker',
    apply: 'build',
    enforce: 'post',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = 'dist' }) {
        const files = (await readdir(dir, { recursive: true }))
          .filter((file) => CACHED.test(file))
          .toSorted();
        const hash = createHash('sha256');
        for (const file of files) hash.update(file).update(await readFile(join(dir, file)));
        const source = (await Promise.all(SOURCES.map((path) => readFile(path, 'utf8')))).join('\n');
        if (!source.includes(PLACEHOLDER)) return this.error(`worker/sw.mjs has no ${PLACEHOLDER}`);
        const shell = { version: hash.digest('hex').slice(0, 16), paths: files.map((file) => `/${file}`) };
        await writeFile(join(dir, 'sw.js'), source.replace(PLACEHOLDER, JSON.stringify(shell)));
      },
    },
  };
}
