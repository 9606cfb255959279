// The proxy of the stack, as its file says it, in front of the real program: who a client is, live
// connections, and what stays inside.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

interface Proxy {
  url: string;
  health: string;
  /** Reads its file again, as an operator tells it to. */
  reload(): number | null;
  child: ChildProcess;
}

/** Starts Caddy on the stack's file, with the names of containers and fixed ports replaced. */
async function startProxy(program: Program, trusted: string): Promise<Proxy> {
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
    program = await startProgram({
      dataDir: data.path,
      env: {
        TRUST_PROXY: 'true',
        GUEST_QUEUE: 'guests@example.com',
        RATE_LIMIT_SESSION_PER_MINUTE: '3',
        METRICS_TOKEN: 'm'.repeat(32),
      },
    });
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

  it('shows measurements to nobody', async () => {
    const { url } = await proxy('');
    const headers = { authorization: `Bearer ${'m'.repeat(32)}` };
    expect((await fetch(`${program.url}/metrics`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/metrics`, { headers })).status).toBe(404);
  });
});
