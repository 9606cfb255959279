// Receivers of webhooks: servers of the test's own that take, hang, lie or die, and note what came.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { waitFor } from '#test/program/wait.ts';

/** A message as it came. */
export interface Received {
  id: string;
  /** When it came, in milliseconds. */
  at: number;
  headers: Record<string, string>;
  body: string;
  type: string;
  task: { id: string; version: number; content: string };
}

/** Answers a message; a number is a status. */
export type Answer = number | ((message: Received, response: ServerResponse) => unknown);

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** From now on. */
  answer: (how: Answer) => void;
  /** The types of what came, in order. */
  types(): string[];
  /** Resolves when so many have come. */
  count(many: number, timeoutMs?: number): Promise<Received[]>;
  close(): Promise<void>;
}

async function read(request: IncomingMessage): Promise<Received> {
  const body = await text(request);
  const { type, data } = JSON.parse(body) as { type: string; data: Received['task'] };
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return { id: headers['webhook-id'] ?? '', at: Date.now(), headers, body, type, task: data };
}

/** Listens on a free port of this address, or on this one. */
export async function startReceiver(first: Answer = 204, port = 0, address = '127.0.0.1'): Promise<Receiver> {
  let how = first;
  const received: Received[] = [];
  async function answerTo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = await read(request);
    received.push(message);
    if (typeof how === 'number') response.writeHead(how).end();
    else await how(message, response);
  }
  const server = createServer((request, response) => {
    void answerTo(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, address, resolve));
  const listening = (server.address() as AddressInfo).port;
  return {
    url: `http://${address}:${listening}/hook`,
    port: listening,
    received,
    answer(next) {
      how = next;
    },
    types: () => received.map(({ type }) => type),
    count: (many, timeoutMs) =>
      waitFor(`${many} messages`, () => (received.length >= many ? received : null), timeoutMs),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
