// Finds, imports and checks an adapter of somebody else: by the path of a file or folder, or by the name of a
// package. What is missing or wrong is refused in one sentence that says what to do.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { findPackageJSON, registerHooks } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Type } from 'typebox';
import { ConfigError } from '#core/config-error.ts';
import { PORT_VERSION, type IngestionAdapter } from '#core/ports/adapter/adapter.ts';
import { ROLES } from '#core/variables.ts';
import type { Adapter } from './public.ts';

/** What adapters import; here, so that an adapter needs no copy of Qinbox beside it. */
const PUBLIC_NAME = 'qinbox/adapter';
const PUBLIC_FILE = new URL('public.ts', import.meta.url).href;
/** A name of a package, with its scope. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/;
const SCRIPT = /\.[cm]?[jt]s$/;
/** Tried in a folder that names none itself. */
const ENTRIES = ['adapter.ts', 'adapter.js', 'index.ts', 'index.js'];

type Refuse = (why: string) => ConfigError;

function refusalOf(name: string): Refuse {
  return (why) => new ConfigError('QINBOX_ADAPTERS', `must name adapters: ${name} ${why}`);
}

let hooked = false;

// An adapter gets the port of the server that runs it, wherever its own folder is.
function offerPublic(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === PUBLIC_NAME ? { url: PUBLIC_FILE, shortCircuit: true } : next(specifier, context),
  });
}

/** Throws ConfigError. Packages are looked for from the working directory, then from `dataDir`. */
export async function loadExternal(name: string, dataDir: string): Promise<IngestionAdapter<never>> {
  const refuse = refusalOf(name);
  const file = locate(name, dataDir, refuse);
  offerPublic();
  let module: { default?: Partial<Adapter<never>> };
  try {
    module = (await import(pathToFileURL(file).href)) as typeof module;
  } catch (error) {
    throw refuse(`cannot be loaded: ${whyNot(error as NodeJS.ErrnoException, file)}`);
  }
  if (module.default === undefined)
    throw refuse('has no default export. Write: export default defineAdapter({ … })');
  return completed(module.default, name);
}

function locate(name: string, dataDir: string, refuse: Refuse): string {
  const path = resolve(name);
  const isPackage = PACKAGE_NAME.test(name) && !SCRIPT.test(name);
  const stat = isPackage ? undefined : statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile() === true) return path;
  if (stat?.isDirectory() === true) return entryOf(path, refuse);
  if (!isPackage) throw refuse(`is not there (${path})`);
  for (const folder of [process.cwd(), resolve(dataDir)]) {
    const manifest = manifestOf(name, folder);
    if (manifest !== undefined) return entryOf(dirname(manifest), refuse);
  }
  throw refuse(
    `is not installed. Install it with: npm install --prefix ${dataDir} ${name} (for a file or a folder, write ./${name})`,
  );
}

function manifestOf(name: string, folder: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(join(folder, 'any.js')));
  } catch {
    return undefined;
  }
}

/** The script that a folder begins with: what its package.json names, else one of the usual names. */
function entryOf(folder: string, refuse: Refuse): string {
  const manifest = join(folder, 'package.json');
  const named = existsSync(manifest) ? namedEntry(manifest, refuse) : undefined;
  // In a folder of sources, what the package is built into need not be there.
  const found = [...(named === undefined ? [] : [named]), ...ENTRIES]
    .map((entry) => join(folder, entry))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  if (found !== undefined) return found;
  throw refuse(
    named === undefined
      ? `is a folder without ${ENTRIES.join(', ')} and without "exports" in its package.json`
      : `names ${named} in its package.json, which is not there; is it built?`,
  );
}

function namedEntry(manifest: string, refuse: Refuse): string | undefined {
  let read: { exports?: unknown; main?: unknown };
  try {
    read = JSON.parse(readFileSync(manifest, 'utf8')) as typeof read;
  } catch (error) {
    throw refuse(`has a package.json that cannot be read (${(error as Error).message})`);
  }
  const exported = mainExport(read.exports);
  return exported ?? (typeof read.main === 'string' ? read.main : undefined);
}

/** What `exports` gives to an import of the package itself. */
function mainExport(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const conditions = exports as Record<string, unknown>;
  return ['.', 'node', 'import', 'module-sync', 'default']
    .map((name) => mainExport(conditions[name]))
    .find((entry) => entry !== undefined);
}

function whyNot(error: NodeJS.ErrnoException, file: string): string {
  const [first = ''] = error.message.split('\n');
  if (error.code === 'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING')
    return `${file} is TypeScript inside of node_modules, which Node does not run. Publish it as JavaScript, or name its folder`;
  if (error.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return `${first}. Node runs TypeScript that is erased: no enums, namespaces or parameter properties`;
  if (error.code === 'ERR_MODULE_NOT_FOUND')
    return `${first.replace(/ imported from .*/, '')}. Install what it imports in ${dirname(file)}`;
  return first;
}

/** With what it left out. Throws ConfigError for what is no adapter, or one for another port. */
export function completed(adapter: Partial<Adapter<never>>, name: string): IngestionAdapter<never> {
  const refuse = refusalOf(name);
  const { id, portVersion } = adapter;
  if (typeof id !== 'string' || typeof adapter.start !== 'function')
    throw refuse('does not default-export defineAdapter({ … }) with an id and a function start');
  if (!/^[a-z][a-z0-9-]{0,29}$/.test(id))
    throw refuse(`has the id "${id}"; it must be a lower-case word of at most 30 characters`);
  checkVersion(portVersion, refuse);
  const full = {
    title: id,
    roles: ['api'],
    source: 'integration',
    configSchema: Type.Object({}),
    environment: {},
    secretFields: [],
    ...adapter,
  } as IngestionAdapter<never>;
  const strange = full.roles.find((role) => !ROLES.includes(role));
  if (strange !== undefined || full.roles.length === 0)
    throw refuse(`has the roles [${full.roles.join(', ')}]; they must be some of ${ROLES.join(', ')}`);
  checkFields(full, refuse);
  return full;
}

function checkVersion(given: unknown, refuse: Refuse): void {
  if (given === undefined)
    throw refuse(
      `does not say which version of the port it is written for. Add: portVersion: '${PORT_VERSION}'`,
    );
  const version = typeof given === 'string' ? given : JSON.stringify(given);
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version) ?? [];
  if (major === undefined)
    throw refuse(`has the portVersion "${version}"; it must be two numbers, as '${PORT_VERSION}'`);
  const [ownMajor, ownMinor] = PORT_VERSION.split('.').map(Number) as [number, number];
  const here = `this Qinbox has version ${PORT_VERSION}`;
  if (Number(major) < ownMajor)
    throw refuse(`is written for version ${version} of the port, and ${here}. Update the adapter`);
  if (Number(major) > ownMajor || Number(minor) > ownMinor)
    throw refuse(`is written for version ${version} of the port, and ${here}. Update Qinbox`);
}

function checkFields(
  { configSchema, environment, secretFields }: IngestionAdapter<never>,
  refuse: Refuse,
): void {
  const fields = Object.keys((configSchema as { properties?: object }).properties ?? {});
  const nameless = fields.find((field) => environment[field] === undefined);
  if (nameless !== undefined)
    throw refuse(
      `has the setting "${nameless}" without a variable. Add it to environment: { ${nameless}: 'NAME' }`,
    );
  const unknown = [...Object.keys(environment), ...secretFields].find((field) => !fields.includes(field));
  if (unknown !== undefined)
    throw refuse(`names the setting "${unknown}", which its configSchema does not have`);
}
