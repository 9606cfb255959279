// The proxy of the stack, as its file says it, in front of the real program: who a client is, live
// connections, and what stays inside.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createTempDir } from '#test/helpers/temp.ts';
import {
  createKey,
  end,
  freePort,
  root,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { tool, tools } from './tools.ts';

/** Longer than an upgrade leaves the stack without an API. */
const UPGRADE_MS = 7000;

interface Proxy {
  url: string;
  health: string;
  /** Reads its file again, as an operator tells it to. */
  reload(): number | null;
  child: ChildProcess;
}

/** Starts Caddy on the stack's file, with the names of containers and fixed ports replaced. */
async function startProxy(program: { port: number }, trusted: string): Promise<Proxy> {
  const folder = createTempDir();
  const [port, health] = [await freePort(), await freePort()];
  const file = join(folder, 'Caddyfile');
  const socket = join(folder, 'admin.sock');
  const text = readFileSync(join(root, 'deploy', 'Caddyfile'), 'utf8')
    .replace(/dynamic a api 3000 \{[^}]*\}/, `to 127.0.0.1:${program.port}`)
    .replace('unix//tmp/caddy.sock', `unix/${socket}`)
    .replace('127.0.0.1:2020', `127.0.0.1:${health}`);
  expect(text).not.toMatch(/api 3000|\/tmp\/caddy|:2020/);
  writeFileSync(file, text);
  const { path, env } = tool('caddy');
  const settings = { ...env, HOME: folder, SITE_ADDRESS: `:${port}`, TRUSTED_PROXIES: trusted };
  const options = ['--config', file, '--adapter', 'caddyfile'];
  const child = spawn(path, ['run', ...options], { env: settings, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-3000)));
  const url = `http://127.0.0.1:${port}`;
  await waitFor('the proxy', async () => {
    if (child.exitCode !== null) throw new Error(said);
    return (await fetch(`${url}/health`).catch(() => null))?.ok === true;
  });
  const reload = () =>
    spawnSync(path, ['reload', '--force', ...options, '--address', `unix/${socket}`], { env: settings })
      .status;
  return { url, health: `http://127.0.0.1:${health}/`, reload, child };
}

describe('the proxy of the stack', () => {
  let program: Program;
  let key: string;
  const proxies: ChildProcess[] = [];
  const proxy = async (trusted: string) => {
    const started = await startProxy(program, trusted);
    proxies.push(started.child);
    return started;
  };
  const data = temporaryFolder('proxy');
  beforeAll(async () => {
    key = createKey(data.path, 'guests@example.com');
    program = await start();
  });
  const start = (port?: number) =>
    startProgram({
      dataDir: data.path,
      ...(port !== undefined && { port }),
      env: {
        TRUST_PROXY: 'true',
        GUEST_QUEUE: 'guests@example.com',
        RATE_LIMIT_SESSION_PER_MINUTE: '3',
        METRICS_TOKEN: 'm'.repeat(32),
      },
    });
  afterAll(async () => {
    for (const child of proxies) await end(child, 'SIGKILL');
    await program.kill();
    data.remove();
  });

  beforeEach(({ skip }) => {
    if ('missing' in tools) skip(tools.missing);
  });

  /** How a guest is answered, whose requests are counted by address. `forwarded` is the header before. */
  const answer = async ({ url }: Proxy, forwarded: string) =>
    (await fetch(`${url}/api/v1/tasks`, { headers: { 'x-forwarded-for': forwarded } })).status;

  it('takes a client for its own address, whatever it claims, where no proxy stands in front', async () => {
    const open = await proxy('');
    const answers = [];
    for (const claimed of ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'])
      answers.push(await answer(open, claimed));
    expect(answers).toEqual([200, 200, 200, 429]);
  });

  it('tells clients of a proxy in front apart, by the one address of the list that they cannot forge', async () => {
    const inner = await proxy('127.0.0.1 10.0.0.0/8');
    const of = async (forwarded: string[]) => {
      const answers = [];
      for (const one of forwarded) answers.push(await answer(inner, one));
      return answers;
    };
    expect(await of(['192.0.2.1', 'forged, 192.0.2.1', '203.0.113.9, 192.0.2.1, 10.1.1.1'])).toEqual([
      200, 200, 200,
    ]);
    expect(await of(['203.0.113.8, 192.0.2.1'])).toEqual([429]);
    expect(await of(['192.0.2.2'])).toEqual([200]);
  });

  it('passes live connections on, goes on through a reload, and is found healthy', async () => {
    const live = await proxy('');
    const socket = new WebSocket(`${live.url.replace('http', 'ws')}/api/v1/live`, ['qinbox.v1'], {
      headers: { 'x-api-key': key },
    });
    const opened = await new Promise<string>((resolve, reject) => {
      socket.once('open', () => resolve('open'));
      socket.once('error', reject);
    });
    expect(opened).toBe('open');
    expect(live.reload()).toBe(0);
    const heard = await new Promise<string>((resolve) => {
      socket.once('pong', () => resolve('pong'));
      socket.once('close', () => resolve('closed'));
      socket.ping();
    });
    expect(heard).toBe('pong');
    expect((await fetch(live.health)).status).toBe(200);
    expect((await fetch(`${live.url}/health`)).status).toBe(200);
    socket.terminate();
  });

  it('loses no request while every process behind it is replaced, and does none twice', async () => {
    const { url } = await proxy('');
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const sent: { content: string | null; status: Promise<number> }[] = [];
    const send = async (path: string, body?: string) =>
      (await fetch(`${url}${path}`, { headers, ...(body && { method: 'POST', body }) })).status;
    const sending = setInterval(() => {
      const content = sent.length % 2 === 0 ? `Replaced ${sent.length}` : null;
      const status = content === null ? send('/health') : send('/api/v1/tasks', JSON.stringify({ content }));
      sent.push({ content, status });
    }, 50);
    onTestFinished(() => clearInterval(sending));
    await waitFor('requests before', () => sent.length > 10);
    expect(await program.stop()).toBe(0);
    const stoppedAt = Date.now();
    await waitFor('an upgrade to have taken its time', () => Date.now() > stoppedAt + UPGRADE_MS);
    program = await start(program.port);
    const before = sent.length;
    await waitFor('requests after', () => sent.length > before + 10);
    clearInterval(sending);
    const answers = await Promise.all(sent.map(({ status }) => status));
    expect(answers.filter((status) => status >= 300)).toEqual([]);
    const listed = await fetch(`${program.url}/api/v1/tasks?limit=200`, { headers });
    const { tasks } = (await listed.json()) as { tasks: { content: string }[] };
    const made = tasks.map(({ content }) => content).filter((content) => content.startsWith('Replaced'));
    expect(made.toSorted()).toEqual(sent.flatMap(({ content }) => content ?? []).toSorted());
  });

  it('sends a POST once, where the process took it and ended before it answered', async () => {
    let taken = 0;
    const server = createServer((request, response) => {
      if (request.method === 'GET') return void response.end('ok');
      taken++;
      request.socket.destroy();
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const started = await startProxy(server.address() as AddressInfo, '');
    proxies.push(started.child);
    const { status } = await fetch(`${started.url}/api/v1/tasks`, { method: 'POST', body: '{}' });
    expect([status, taken]).toEqual([502, 1]);
  });

  it('shows measurements to nobody', async () => {
    const { url } = await proxy('');
    const headers = { authorization: `Bearer ${'m'.repeat(32)}` };
    expect((await fetch(`${program.url}/metrics`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/metrics`, { headers })).status).toBe(404);
  });
});
