// What comes due while the process that tells it dies: the next one tells it, in the production size, where
// the clients of other processes live on.
import { once } from 'node:events';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { LiveMessage } from '#core/contract/index.ts';
import { startStack, type Stack } from '#test/faults/stack.ts';
import { startProgram } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { startProxy, type Proxy } from '#test/services/proxy.ts';

let stack: Stack | undefined;
let missing = '';
let proxy: Proxy;
let mongo: MongoClient;

beforeAll(async () => {
  const started = await startStack();
  if ('missing' in started) {
    ({ missing } = started);
    return;
  }
  stack = started;
  const { hostname, port } = new URL(stack.redis.url);
  proxy = await startProxy(hostname, Number(port));
  mongo = await MongoClient.connect(stack.env['MONGODB_URL'] ?? '');
});
afterAll(async () => {
  await mongo?.close();
  await stack?.stop();
  await proxy?.close();
});

async function request(url: string, key: string, method: string, path: string, body: object) {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  expect(answer.ok).toBe(true);
  return (await answer.json()) as { task: { id: string } };
}

it('is told by the next worker where one is killed before what it told could leave it', async ({ skip }) => {
  if (stack === undefined) return skip(missing);
  const { apis, key, env } = stack;
  const { url } = apis[0] as (typeof apis)[0];
  await Promise.all(stack.workers.map((worker) => worker.kill()));
  const cutOff = await startProgram({
    dataDir: '/nonexistent',
    env: { ...env, QINBOX_ROLES: 'worker', REDIS_URL: `redis://127.0.0.1:${proxy.port}` },
  });
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/live`, ['qinbox.v1'], {
    headers: { 'x-api-key': key },
  });
  const heard: string[] = [];
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as LiveMessage;
    if (message.type === 'task.expired' || message.type === 'task.restored')
      heard.push(`${message.type} ${message.task.id}`);
  });
  await once(socket, 'message');

  const add = async (content: string) => (await request(url, key, 'POST', '/tasks', { content })).task.id;
  const [over, asleep] = [await add('is over'), await add('sleeps')];
  const due = new Date(Date.now() + 10_000).toISOString();
  const changes = [
    { id: over, expiresAt: due },
    { id: asleep, snoozedUntil: due },
  ];
  await request(url, key, 'PATCH', '/tasks', { tasks: changes });
  await waitFor('the time to be nearly up', () => Date.now() > Date.parse(due) - 500);
  proxy.hang();
  // The one lease that is held for long is that of a sweep that waits.
  const tasks = mongo.db().collection<{ _id: string; state: number }>('tasks');
  const leases = mongo.db().collection<{ _id: string; holder: string }>('leases');
  let holder: string | undefined;
  await waitFor('the worker to tell', async () => {
    const before = holder;
    holder = (await leases.findOne({ _id: 'sweep' }))?.holder;
    return Date.now() > Date.parse(due) + 300 && holder !== undefined && holder === before;
  });
  await cutOff.kill();
  expect(await tasks.countDocuments({ _id: { $in: [over, asleep] }, state: { $gt: 0 } })).toBe(2);
  expect(heard).toEqual([]);

  await stack.startWorker();
  await waitFor('the client to hear of both', () => heard.length >= 2);
  expect(heard.toSorted()).toEqual([`task.expired ${over}`, `task.restored ${asleep}`]);
  await waitFor('it to be taken', async () => (await tasks.findOne({ _id: over }))?.state === 0);
  socket.close();
}, 900_000);
