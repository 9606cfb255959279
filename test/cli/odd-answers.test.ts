// The commands of everybody with a key where what answers is not Qinbox, or hangs: one sentence, and no wait.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';
import { constants } from 'node:os';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '#test/program/wait.ts';
import { freeze, wake } from '#test/services/signals.ts';
import { CLI, ONE_FILE, startStage, type Stage } from './stage.ts';
import { openTerminal } from './terminal.ts';

/** A server that hangs is given up after 10 seconds and more; a command that is ended waits for none. */
const AT_ONCE_MS = 4000;

let stage: Stage;
beforeAll(async () => {
  stage = await startStage('cli-odd-answers');
  Object.assign(stage.env, { QINBOX_URL: stage.program.url, QINBOX_KEY: stage.key });
});
afterAll(() => stage?.close());

async function answering(status: number, body: string): Promise<string> {
  const server = createServer((_request, answer) =>
    answer.writeHead(status, { 'content-type': 'application/json' }).end(body),
  ).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  [200, '{"status":"ok"}', 'answered 200, and not as Qinbox does. Check the address.'],
  [200, '[]', 'answered 200, and not as Qinbox does. Check the address.'],
  [404, '{"error":{"message":"no route"}}', 'answered 404, and not as Qinbox does. Check the address.'],
  [400, '{"error":"bad","details":"all"}', 'answered 400, and not as Qinbox does. Check the address.'],
])('says of %i %s that it is no answer of Qinbox', async (status, body, words) => {
  const url = await answering(status, body);
  const env = { QINBOX_URL: url };
  for (const args of [['add', 'text'], ['ls'], ['ack', 'task_0123456789abcdefghijkl']])
    expect(await stage.qinbox(args, '', env)).toEqual({ code: 1, out: '', err: `qinbox: ${url} ${words}\n` });
  const ran = await stage.qinbox(['run', '--', 'sh', '-c', 'exit 5'], '', env);
  expect(ran).toEqual({ code: 5, out: '', err: `qinbox: no task was made: ${url} ${words}\n` });
});

it.each([400, 401, 429, 503])(
  'shows the words of a server in one line that commands no terminal, for %i',
  async (status) => {
    const error = 'no\u001b]0;title\u0007\u009b2J\u202e\nqinbox: done';
    const url = await answering(status, JSON.stringify({ success: false, error, code: 'X' }));
    const { out, err } = await stage.qinbox(['ls'], '', { QINBOX_URL: url });
    expect(out).toBe('');
    expect(err).toMatch(/^qinbox: no\uFFFD\]0;title[^\p{Cc}\p{Cf}]+qinbox: done[^\p{Cc}\p{Cf}]*\n$/u);
  },
);

function hang(): void {
  freeze(stage.program.pid);
  onTestFinished(() => wake(stage.program.pid));
}

it('ends qinbox watch at once at Ctrl-C while the server hangs', async () => {
  const child = spawn(process.execPath, [CLI, 'watch'], { env: stage.env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  await waitFor('the connection', () => err.includes('Watching'));
  hang();
  const began = performance.now();
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
});

it('has qinbox watch say why it cannot connect again', async () => {
  const { port } = new URL(stage.program.url);
  const sockets = new Set<Socket>();
  let isAway = false;
  const proxy = createNetServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    if (isAway) return socket.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
    const inner = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    return socket.pipe(inner).pipe(socket);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, [CLI, 'watch'], { env: { ...stage.env, QINBOX_URL: url } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  await waitFor('the connection', () => err.includes('Watching'));
  isAway = true;
  for (const socket of sockets) socket.destroy();
  const why = `${url} answered 502. Try again, and look at the server's log. Trying again in`;
  await waitFor('the reason', () => err.includes(why));
  expect(err).toMatch(/\nConnection lost; trying again in \d+ s\.\n/);
});

it('ends the inbox in the terminal at once while the server hangs', async () => {
  const terminal = openTerminal([process.execPath, ONE_FILE], { env: stage.env });
  onTestFinished(terminal.kill);
  await terminal.shows('live');
  hang();
  const began = performance.now();
  terminal.type('.q');
  expect(await terminal.ended).toBe(0);
  expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
});

it('says when what was done last in the inbox could not be sent, and does not wait for that at Ctrl-C', async () => {
  expect((await stage.qinbox(['add', 'to be done'])).code).toBe(0);
  const open = async () => {
    const terminal = openTerminal([process.execPath, ONE_FILE], { env: stage.env });
    onTestFinished(terminal.kill);
    await terminal.shows('live');
    return terminal;
  };
  const [waiting, leaving] = [await open(), await open()];
  hang();
  waiting.type('eq');
  leaving.type('eq');
  const isLeft = () => [waiting, leaving].every((terminal) => terminal.raw().endsWith('\u001b[?1049l'));
  await waitFor('the screens to be left', isLeft);
  const began = performance.now();
  // Until the terminal makes a signal of it, which the shell's mode does a moment after its screen is back.
  await waitFor('the signal', () => {
    leaving.type('\u0003');
    return leaving.raw().endsWith('^C');
  });
  expect(await leaving.ended).toBe(256 - constants.signals.SIGINT);
  expect(performance.now() - began).toBeLessThan(AT_ONCE_MS);
  await stage.program.kill();
  expect(await waiting.ended).toBe(69);
  expect(waiting.raw()).toContain('qinbox: What you did last may not be done: http');
});
