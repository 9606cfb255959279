// Clients that show a queue, as far as tests of their protocols need them.
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createTestApp } from './app.ts';

export type Json = Record<string, unknown>;

/** A server with an API key of me@example.com. */
export async function listening(env: Record<string, string> = {}) {
  const app = await createTestApp({ RATE_LIMIT_PER_MINUTE: '10000', ...env });
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`;
  const key = await app.key();
  const bearer = { authorization: `Bearer ${key}` };
  const get = async (path: string, headers: Record<string, string> = bearer, method = 'GET') => {
    const answer = await fetch(`${url}${path}`, { method, headers });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text };
  };
  return {
    app,
    url,
    key,
    bearer,
    get,
    json: async (path: string, headers = bearer, method = 'GET') =>
      JSON.parse((await get(path, headers, method)).text) as Json,
    /** The messages that a topic has. */
    async poll(path: string, headers = bearer): Promise<Json[]> {
      const { text, status } = await get(path, headers);
      expect({ status, text }).toMatchObject({ status: 200 });
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Json);
    },
    async add(content: string, fields: object = {}): Promise<string> {
      const { body, status } = await app.call('POST', '/tasks', { key, body: { content, ...fields } });
      expect(status).toBe(201);
      return (body['task'] as { id: string }).id;
    },
    async live(): Promise<string[]> {
      const { body } = await app.call('GET', '/tasks', { key });
      return (body['tasks'] as { content: string }[]).map(({ content }) => content);
    },
  };
}

/** The lines of a stream, as they come. */
export async function lines(url: string, headers: Record<string, string>) {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const answer = await fetch(url, { headers, signal: stopping.signal });
  const reader = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  return {
    type: answer.headers.get('content-type'),
    async next(): Promise<string | null> {
      for (;;) {
        const end = rest.indexOf('\n');
        if (end !== -1) {
          const line = rest.slice(0, end);
          rest = rest.slice(end + 1);
          return line;
        }
        const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }));
        if (done) return null;
        rest += value ?? '';
      }
    },
  };
}

/** The messages of a socket, as they come; rejects with the status of a refusal. */
export async function socket(url: string, headers: Record<string, string> = {}) {
  const opened = new WebSocket(url.replace('http', 'ws'), { headers });
  onTestFinished(() => opened.terminate());
  const came: Json[] = [];
  const waiting: ((message: Json) => void)[] = [];
  opened.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Json;
    const taker = waiting.shift();
    if (taker === undefined) came.push(message);
    else taker(message);
  });
  const closed = new Promise<number>((resolve) => opened.once('close', resolve));
  await new Promise((resolve, reject) => {
    opened.once('open', resolve);
    opened.once('unexpected-response', (_request, { statusCode }) => reject(new Error(String(statusCode))));
    opened.once('error', reject);
  });
  return {
    closed,
    next: () =>
      new Promise<Json>((resolve) => {
        const message = came.shift();
        if (message === undefined) waiting.push(resolve);
        else resolve(message);
      }),
  };
}

/** A credential with the key as password. */
export const basic = (key: string) => ({
  authorization: `Basic ${Buffer.from(`me:${key}`).toString('base64')}`,
});
