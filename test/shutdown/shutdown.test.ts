// SIGTERM, and what a terminal sends: what was begun is finished, what watches is told, and the process
// ends by itself. How fast, test/faults/production.ts measures at full size.
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import {
  commandLine,
  root,
  runCommand,
  runOnce,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

const ENV = { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_HOUR: '1000000' };

async function program(): Promise<Program & { key: string; dataDir: string }> {
  const folder = temporaryFolder('shutdown');
  const key = runOnce(process.execPath, [commandLine(), 'key', 'create', '--name', 't'], root, {
    DATA_DIR: folder.path,
  }).trim();
  const started = await startProgram({ dataDir: folder.path, env: ENV });
  onTestFinished(async () => {
    await started.kill();
    folder.remove();
  });
  return { ...started, key, dataDir: folder.path };
}

const create = ({ url, key }: { url: string; key: string }, content: string) =>
  fetch(`${url}/api/v1/tasks`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'text/plain' },
    body: content,
  });

it('the server ends in order with npm, which hands SIGTERM only to the shell between them', async () => {
  const folder = temporaryFolder('shutdown-npm');
  const env = { npm_lifecycle_event: 'start' };
  // The shell stays, as the one of npm does.
  const under = ['sh', '-c', '"$@"; true', 'sh'];
  const shell = await startProgram({ dataDir: folder.path, env, under });
  const [server = ''] = readFileSync(`/proc/${shell.pid}/task/${shell.pid}/children`, 'utf8').split(' ');
  onTestFinished(() => {
    if (existsSync(`/proc/${server}`)) process.kill(Number(server), 'SIGKILL');
    folder.remove();
  });
  const socket = new WebSocket(`${shell.url.replace('http', 'ws')}/api/v1/live`, ['qinbox.v1'], {
    headers: { 'x-api-key': runCommand(folder.path, ['key', 'create', '--name', 't']).trim() },
  });
  const closed = once(socket, 'close');
  await once(socket, 'open');
  process.kill(shell.pid, 'SIGTERM');
  expect((await closed)[0]).toBe(1012);
  await waitFor('its end', () => !existsSync(`/proc/${server}`));
});

it.each(['SIGINT', 'SIGHUP'] as const)(
  '%s, as a terminal sends it, ends it in order as well',
  async (signal) => {
    const server = await program();
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1/live`, ['qinbox.v1'], {
      headers: { 'x-api-key': server.key },
    });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    expect(await server.stop(signal)).toBe(0);
    expect((await closed)[0]).toBe(1012);
    // The log is folded into the file.
    expect(readdirSync(server.dataDir)).not.toContain('qinbox.db-wal');
  },
);

describe('SIGTERM', () => {
  it('under load loses nothing that was answered, resets no accepted request, closes sockets with 1012 and exits 0', async () => {
    const server = await program();
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/v1/live`, ['qinbox.v1'], {
      headers: { 'x-api-key': server.key },
    });
    await once(socket, 'open');
    const closed = once(socket, 'close');
    const answered: string[] = [];
    let stopped = false;
    const write = async (writer: number) => {
      for (let count = 0; ; count++) {
        const content = `w${writer}-${count}`;
        const response = await create(server, content).catch((error: Error) => error);
        // Once it stops, new connections and requests are refused; one that was accepted is still answered.
        if (response instanceof Error || response.status === 503) return expect(stopped).toBe(true);
        expect(response.status).toBe(201);
        answered.push(content);
      }
    };
    const writers = Array.from({ length: 16 }, (_, writer) => write(writer));
    while (answered.length < 300) await new Promise((resolve) => setImmediate(resolve));
    stopped = true;
    expect(await server.stop()).toBe(0);
    await Promise.all(writers);
    expect((await closed)[0]).toBe(1012);

    const again = await startProgram({ dataDir: server.dataDir, env: ENV });
    onTestFinished(() => again.kill());
    const stored: string[] = [];
    for (;;) {
      const page = await fetch(`${again.url}/api/v1/tasks?limit=1000&offset=${stored.length}`, {
        headers: { 'x-api-key': server.key },
      });
      const { tasks } = (await page.json()) as { tasks: { content: string }[] };
      stored.push(...tasks.map(({ content }) => content));
      if (tasks.length === 0) break;
    }
    expect(answered.filter((content) => !stored.includes(content))).toEqual([]);
    expect(new Set(stored).size).toBe(stored.length);
  });

  it('waits for no connection that was opened ahead and never used', async () => {
    const server = await program();
    const unused = connect(server.port, '127.0.0.1');
    await once(unused, 'connect');
    const closed = once(unused, 'close');
    unused.resume();
    expect(await server.stop()).toBe(0);
    await closed;
  });

  it('finishes a request whose body is still arriving', async () => {
    const server = await program();
    const slow = httpRequest(`${server.url}/api/v1/tasks`, {
      method: 'POST',
      headers: {
        'x-api-key': server.key,
        'content-type': 'application/json',
        'content-length': 18,
        expect: '100-continue',
      },
    });
    const answer = once(slow, 'response');
    slow.flushHeaders();
    await once(slow, 'continue');
    slow.write('{"content"');
    const exit = server.stop();
    slow.end(':"late"}');
    const [response] = (await answer) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(201);
    expect(await exit).toBe(0);
  });
});

describe('a request that never ends', () => {
  it('is answered 408 in the usual form, and its connection closed', async () => {
    const { port, key } = await program();
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString()));
    socket.write(
      `POST /api/v1/tasks HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{`,
    );
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    expect(text).toContain('"code":"REQUEST_TIMEOUT"');
  });
});
