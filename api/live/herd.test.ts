// What a gap of the event bus costs while many sockets are open: everybody is looked up and told to fetch
// again, an owner once for all sockets, a few owners at a time, and not all in one moment.
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { createTestApp, type TestApp } from '#test/helpers/app.ts';
import { waitFor } from '#test/program/wait.ts';

const SOCKETS = 400;
const ENV = {
  MAX_SOCKETS_PER_OWNER: '400',
  RATE_LIMIT_PER_MINUTE: '100000',
  RATE_LIMIT_PER_HOUR: '100000',
};

/** Counts the reads of accounts, and how many were under way at once. */
function countReads({ parts }: TestApp): { reads: number; most: number } {
  const counted = { reads: 0, most: 0 };
  const store = parts.storage.accounts as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  let underWay = 0;
  for (const name of ['getUser', 'listKeys', 'getSession', 'findKeyByHash']) {
    const method = store[name] as (...args: unknown[]) => Promise<unknown>;
    store[name] = async (...args) => {
      counted.reads++;
      counted.most = Math.max(counted.most, ++underWay);
      try {
        // As from a store that is far away, so that those under way are under way together.
        await new Promise((resolve) => setTimeout(resolve, 2));
        return await method.apply(store, args);
      } finally {
        underWay--;
      }
    };
  }
  return counted;
}

async function openSockets(test: TestApp, owners: number) {
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = test.app.server.address() as AddressInfo;
  const resets: number[] = [];
  let greeted = 0;
  for (let owner = 0; owner < owners; owner++) {
    const key = await test.key(`owner${owner}@example.com`);
    for (let count = 0; count < SOCKETS / owners; count++) {
      const { body } = await test.call('POST', '/live/ticket', { key });
      const offer = ['qinbox.v1', `ticket.${body['ticket'] as string}`];
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/live`, offer);
      onTestFinished(() => socket.terminate());
      socket.on('error', () => {});
      socket.on('message', (data) => {
        const { type } = JSON.parse((data as Buffer).toString()) as { type: string };
        if (type === 'hello') greeted++;
        if (type === 'queue.reset') resets.push(performance.now());
      });
    }
  }
  await waitFor('all to be greeted', () => greeted === SOCKETS);
  return resets;
}

it.each([
  ['few owners', 4],
  ['many owners', 400],
])(
  '400 sockets of %s cost a look at each owner, few at a time, and are told to fetch over some seconds',
  async (_, owners) => {
    const test = await createTestApp(ENV);
    const resets = await openSockets(test, owners);
    const counted = countReads(test);
    // As after Redis came back: once for the own connection, and from each process that could not publish.
    for (let processes = 0; processes < 3; processes++) {
      test.parts.bus.publish({ kind: 'access', userId: null });
      test.parts.bus.publish({ kind: 'reset', ownerId: null });
    }
    await waitFor('all to be told to fetch', () => resets.length >= SOCKETS);
    // The user and the keys of an owner, once; of the four that had begun, a second time.
    expect(counted.reads).toBeLessThanOrEqual(2 * (owners + 4));
    expect(counted.most).toBeLessThanOrEqual(8);
    expect(resets.length).toBe(SOCKETS);
    const [first = 0] = resets;
    expect((resets.at(-1) ?? 0) - first).toBeGreaterThan(1000);
  },
);
