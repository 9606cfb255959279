// Joins the server, all commands and the packages that these always need into a few files in dist: the server
// loads in two thirds of the time of its 1,900 modules, a command in a quarter.
// `node scripts/parts/bundle.mjs`, on the Node of node_modules.
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'vite';
import { root, server } from './project.mjs';

const folder = dirname(server);
/** Its own variant that warns of nothing: the other asks V8 at once where each line of the bundle ends. */
const silentDepd = join(root, 'node_modules', 'depd', 'lib', 'browser', 'index.js');
/** As `@fastify/static` finds it. */
const globFile = createRequire(createRequire(import.meta.url).resolve('@fastify/static')).resolve('glob');
/** Where it is built: a server that runs from `folder` finds its files until all new ones are there. */
const building = join(root, 'node_modules', '.cache', 'qinbox', `server-${process.pid}`);
/** Loaded only where they are switched on, from node_modules. */
const SWITCHED_ON = [
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  '@slack/bolt',
  'bullmq',
  'ioredis',
  'mailauth',
  'mongodb',
  'pino-pretty',
];
const FILE_URL = /new URL\(\s*'([^']+)',\s*import\.meta\.url\s*,?\s*\)/g;

/**
 * `new URL('…', import.meta.url)` goes on to name the same file: a script becomes a file of the bundle, any
 * other file is named from there.
 */
const fileUrls = {
  name: 'file-urls',
  enforce: 'pre',
  transform: {
    filter: { id: { exclude: /node_modules/ }, code: 'import.meta.url' },
    handler(code, id) {
      return code.replace(FILE_URL, (_, path) => {
        const file = resolve(dirname(id), path);
        if (!file.endsWith('.ts')) return urlOf(relative(folder, file) + (path.endsWith('/') ? '/' : ''));
        const fileName = `${relative(root, file).slice(0, -'.ts'.length).replaceAll(/[/\\]/g, '-')}.js`;
        this.emitFile({ type: 'chunk', id: file, fileName });
        return urlOf(fileName);
      });
    },
  },
};

/**
 * Built-in modules as CommonJS takes them. Node evaluates all exports of one that a script imports, and two
 * of `node:http` are a WebSocket client, which loads Undici; of HTTP/2, which Fastify asks for at once, no
 * server needs anything.
 */
const BUILT_IN = {
  http: "process.getBuiltinModule('node:http')",
  http2: "new Proxy({}, { get: (_, name) => process.getBuiltinModule('node:http2')[name] })",
};
const lazyBuiltIns = {
  name: 'lazy-built-ins',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^(node:)?http2?$/ },
    handler: (id) => `\0${id.replace('node:', '')}.cjs`,
  },
  load: {
    filter: { id: /^\0http2?\.cjs$/ },
    handler: (id) => `module.exports = ${BUILT_IN[id.slice(1, -'.cjs'.length)]};`,
  },
};

/**
 * `glob`, which finds each file of a folder for a route of its own, is loaded when it is called: its folders
 * have one route each here, and it takes a third of the time of all packages of a start.
 */
const lazyGlob = {
  name: 'lazy-glob',
  enforce: 'pre',
  resolveId: { filter: { id: /^glob$/ }, handler: () => '\0glob.cjs' },
  load: {
    filter: { id: /^\0glob\.cjs$/ },
    handler: () => `exports.glob = (...given) => require(${JSON.stringify(globFile)}).glob(...given);`,
  },
};

/** Of package.json the program needs its version alone. */
const manifestFile = join(root, 'package.json');
const versionAlone = {
  name: 'version-alone',
  transform: {
    order: 'pre',
    filter: { id: manifestFile },
    handler: (code) => JSON.stringify({ version: JSON.parse(code).version }),
  },
};

/**
 * V8 keeps the text of every script, and takes two bytes a character where one is outside of ASCII. The
 * bundle has no comments but those of licences, for the same reason.
 */
const ascii = {
  name: 'ascii',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = escaped(file.code);
    },
  },
};

function escaped(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function urlOf(path) {
  return `new URL('${path.replaceAll('\\', '/')}', import.meta.url)`;
}

await build({
  configFile: false,
  root,
  publicDir: false,
  logLevel: 'warn',
  plugins: [versionAlone, fileUrls, lazyBuiltIns, lazyGlob, ascii],
  resolve: { alias: { depd: silentDepd } },
  ssr: { noExternal: true, external: SWITCHED_ON },
  build: {
    ssr: true,
    target: 'node24',
    outDir: building,
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      input: { server: join(root, 'api', 'main.ts'), 'command-line': join(root, 'cli', 'built.ts') },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
});
// The command line of everybody with a key, as one file: whatever Node the machine has runs it, from 20 on.
const loadBuiltIn = "typeof require === 'function' ? require : process.getBuiltinModule";
await build({
  configFile: false,
  root,
  publicDir: false,
  logLevel: 'warn',
  plugins: [versionAlone],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    target: 'node20',
    outDir: building,
    emptyOutDir: false,
    minify: true,
    rolldownOptions: {
      // What ws takes if it is installed.
      external: ['bufferutil', 'utf-8-validate'],
      input: join(root, 'cli', 'client-main.ts'),
      output: {
        format: 'cjs',
        codeSplitting: false,
        entryFileNames: 'qinbox',
        // Works as a module, too, which it is taken for in the folder of a package of modules.
        banner: '#!/usr/bin/env node\n((require) => {',
        footer: `})(${loadBuiltIn});`,
      },
    },
  },
});
for (const command of ['qinbox', 'command-line.js']) chmodSync(join(building, command), 0o755);
rmSync(folder, { recursive: true, force: true });
renameSync(building, folder);
