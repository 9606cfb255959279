// The operator's adapter is loaded from a file and works: it is the one that docs/adapters.md shows. A wrong
// file is refused by name.
import { createSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { ConfigError } from '#core/config.ts';
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

it('an adapter that its settings do not switch on is not there', async () => {
  const { call } = await createTestApp({ QINBOX_ADAPTERS: adapterFile(documented()) });
  const { body } = await call('GET', '/config');
  const { adapters } = body['config'] as { adapters: { id: string }[] };
  expect(adapters.map(({ id }) => id)).not.toContain('syslog');
});

it.each([
  [
    'a file that is not there',
    () => join(root, 'data', 'none.ts'),
    /^QINBOX_ADAPTERS must name adapters: .* cannot be loaded/,
  ],
  [
    'one that exports no adapter',
    () => adapterFile('export default 1;'),
    /does not default-export defineAdapter/,
  ],
  [
    'an id that is taken',
    () => adapterFile("export default { id: 'rest', start: () => ({ stop: () => Promise.resolve() }) };"),
    /must not name a second adapter with the id "rest"/,
  ],
])('refuses %s by the name of the variable', async (_what, file, message) => {
  const refused = createTestApp({ QINBOX_ADAPTERS: file() });
  await expect(refused).rejects.toThrow(ConfigError);
  await expect(refused).rejects.toThrow(message);
});
