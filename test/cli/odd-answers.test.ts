// The commands of everybody with a key where what answers is not Qinbox: one sentence.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startStage, type Stage } from './stage.ts';

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
