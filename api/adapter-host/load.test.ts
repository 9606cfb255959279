// The operator's adapter is loaded from a file and works: it is the one that docs/adapters.md shows. A wrong
// file is refused by name.
import { createSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { ConfigError } from '#core/config-error.ts';
import { createTestApp } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A file inside the project, so that it may import from it as one of ours does. */
function adapterFile(source: string): string {
  mkdirSync(join(root, 'data'), { recursive: true });
  const folder = mkdtempSync(join(root, 'data', 'adapter-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'adapter.ts');
  writeFileSync(file, source);
  return file;
}

/** The adapter that the documentation shows. */
function documented(): string {
  const page = readFileSync(join(root, 'docs', 'adapters.md'), 'utf8');
  return /```ts\n([^]*?)```/.exec(page)?.[1] ?? '';
}

it('runs the adapter of the documentation: what machines send to its port is in the inbox, repeats on one task', async () => {
  const env = {
    QINBOX_ADAPTERS: adapterFile(documented()),
    SYSLOG_OWNER: 'Me@Example.com',
    SYSLOG_PORT: '0',
  };
  const { call, key } = await createTestApp(env);
  const mine = await key('me@example.com');
  const ready = await call('GET', '/ready', { base: '' });
  const parts = ready.body['parts'] as { name: string; detail?: string }[];
  const port = Number(/\d+$/.exec(parts.find(({ name }) => name === 'syslog')?.detail ?? '')?.[0]);

  const sender = createSocket('udp4');
  onTestFinished(() => void sender.close());
  const lines = ['<11>1 2026-11-21T09:00:00Z nas disk sda1 is full', '<14>Nov 21 09:00:00 nas all is well'];
  for (const line of [...lines, lines[0] as string])
    await new Promise((done) => sender.send(line, port, '127.0.0.1', done));

  const task = await waitFor('both reports on one task', async () => {
    const { body } = await call('GET', '/tasks', { key: mine });
    const [first, ...others] = body['tasks'] as { occurrences: number }[];
    expect(others).toEqual([]);
    return first?.occurrences === 2 ? first : null;
  });
  expect(task).toMatchObject({
    content: 'nas disk sda1 is full',
    priority: 'high',
    source: 'integration',
    tags: ['syslog'],
    metadata: { address: '127.0.0.1' },
  });
});

it('the adapter of the documentation has at most 40 lines', () => {
  expect(documented().trim().split('\n').length).toBeLessThanOrEqual(40);
});

it('an adapter that its settings do not switch on is not there', async () => {
  const { call } = await createTestApp({ QINBOX_ADAPTERS: adapterFile(documented()) });
  const { body } = await call('GET', '/config');
  const { adapters } = body['config'] as { adapters: { id: string }[] };
  expect(adapters.map(({ id }) => id)).not.toContain('syslog');
});

const START = 'start: () => ({ stop: () => Promise.resolve() })';
const one = (fields: string) => () => adapterFile(`export default { id: 'one', ${START}, ${fields} };`);
const VERSION = "portVersion: '1.0'";

/** A folder with these files. */
function folderOf(files: Record<string, string>): string {
  const folder = dirname(adapterFile(''));
  rmSync(join(folder, 'adapter.ts'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

it.each([
  ['a file that is not there', () => join(root, 'data', 'none.ts'), /none\.ts is not there/],
  ['a folder without an adapter', () => folderOf({ 'x.txt': '' }), /is a folder without adapter\.ts/],
  [
    'a folder that is not built',
    () => folderOf({ 'package.json': '{ "exports": "./dist/adapter.js" }' }),
    /names \.\/dist\/adapter\.js in its package\.json, which is not there; is it built\?/,
  ],
  [
    'a damaged package.json',
    () => folderOf({ 'package.json': '{' }),
    /has a package\.json that cannot be read/,
  ],
  [
    'a package that is not installed',
    () => 'qinbox-adapter-none',
    /qinbox-adapter-none is not installed\. Install it with: npm install --prefix .* qinbox-adapter-none/,
  ],
  ['what cannot be a name', () => 'a b', /a b is not there/],
  ['a file without a default export', () => adapterFile('export const a = 1;'), /has no default export/],
  ['a file that fails', () => adapterFile("throw new Error('no luck');"), /cannot be loaded: no luck/],
  [
    'one that exports no adapter',
    () => adapterFile('export default 1;'),
    /does not default-export defineAdapter/,
  ],
  [
    'an id that is taken',
    () => adapterFile(`export default { id: 'rest', ${START}, ${VERSION} };`),
    /must not name a second adapter with the id "rest"/,
  ],
  ['an id that is no word', () => adapterFile(`export default { id: 'A', ${START} };`), /has the id "A"/],
  ['no version', one(''), /does not say which version of the port .* Add: portVersion: '1\.0'/],
  ['a version that is none', one("portVersion: 'one'"), /has the portVersion "one"; it must be two numbers/],
  [
    'one for an older port',
    one("portVersion: '0.9'"),
    /is written for version 0\.9 of the port, and this Qinbox has version 1\.0\. Update the adapter/,
  ],
  ['one for the next port', one("portVersion: '2.0'"), /version 2\.0 of the port, .* Update Qinbox/],
  ['one for later additions', one("portVersion: '1.1'"), /version 1\.1 of the port, .* Update Qinbox/],
  [
    'a role that is none',
    one(`${VERSION}, roles: ['poller']`),
    /has the roles \[poller\]; they must be some of api/,
  ],
  [
    'a setting without a variable',
    one(`${VERSION}, configSchema: { type: 'object', properties: { port: {} } }`),
    /has the setting "port" without a variable/,
  ],
  [
    'a variable of no setting',
    one(`${VERSION}, environment: { port: 'P' }`),
    /names the setting "port", which/,
  ],
])('refuses %s by the name of the variable', async (_what, file, message) => {
  const refused = createTestApp({ QINBOX_ADAPTERS: file() });
  await expect(refused).rejects.toThrow(ConfigError);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toThrow(/^QINBOX_ADAPTERS must /);
});

it('takes a folder by what its package.json names, else by the usual names', async () => {
  const adapter = (id: string) => `export default { id: '${id}', ${VERSION}, ${START} };`;
  const named = { 'package.json': '{ "exports": { ".": { "import": "./lib/main.js" } } }' };
  const folders = [
    folderOf({ ...named, 'lib/main.js': adapter('first'), 'adapter.ts': adapter('not') }),
    folderOf({ 'package.json': '{ "main": "main.js" }', 'main.js': adapter('second') }),
    folderOf({ 'package.json': '{ "exports": "./dist/adapter.js" }', 'adapter.ts': adapter('third') }),
    folderOf({ 'index.js': adapter('fourth') }),
  ];
  const { call } = await createTestApp({ QINBOX_ADAPTERS: folders.join(', ') });
  const { body } = await call('GET', '/config');
  const { adapters } = body['config'] as { adapters: { id: string }[] };
  expect(adapters.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['first', 'second', 'third', 'fourth']),
  );
});

it('takes a package by its name from the data folder', async () => {
  const folder = folderOf({
    'node_modules/qinbox-adapter-here/package.json': '{ "exports": "./a.js" }',
    'node_modules/qinbox-adapter-here/a.js': `export default { id: 'here', ${VERSION}, ${START} };`,
  });
  const { call } = await createTestApp({ QINBOX_ADAPTERS: 'qinbox-adapter-here', DATA_DIR: folder });
  const { body } = await call('GET', '/config');
  expect(body['config']).toMatchObject({ adapters: expect.arrayContaining([{ id: 'here', title: 'here' }]) });
});

it('serves without an adapter that cannot start or stop, and tells of it', async () => {
  const broken = `start() { throw new Error('no luck'); }`;
  const stuck = `start: () => ({ stop: () => Promise.reject(new Error('stuck')) })`;
  const files = [
    adapterFile(`export default { id: 'broken', ${VERSION}, ${broken} };`),
    adapterFile(`export default { id: 'stuck', ${VERSION}, ${stuck} };`),
  ];
  const { app, call, logged } = await createTestApp({ QINBOX_ADAPTERS: files.join(',') });
  const { status, body } = await call('GET', '/ready', { base: '' });
  expect(status).toBe(200);
  const detail = 'could not be started; the log says why';
  expect(body['parts']).toContainEqual({ name: 'broken', ok: false, detail });
  expect(logged()).toContain('no luck');
  await app.close();
  expect(logged()).toContain('stuck');
});
