// A client that cannot reach its server is replaced by one that is connected already.
import { expect, it } from 'vitest';
import { ConfigError } from '#core/config-error.ts';
import { waitFor } from '#test/program/wait.ts';
import { startProxy } from '#test/services/proxy.ts';
import { describeWith, sharedMongo } from '#test/services/services.ts';
import { createConnection } from './connection.ts';

it.each([
  'mongodb://',
  'mongodb://ann:sec@ret@localhost/qinbox',
  'mongodb://ann:sec/ret@localhost/qinbox',
  'mongodb://ann:secret@localhost/qinbox?replicaset',
  'mongodb://ann:secret@localhost/qinbox?foo=bar',
])('refuses the address %s as a wrong variable, without its password', (url) => {
  const connect = () => createConnection(url, 3000);
  expect(connect).toThrow(ConfigError);
  expect(connect).toThrow(/^MONGODB_URL must be [^\n]*%40/);
  expect(connect).not.toThrow(/sec.?ret/);
});

/** Longer than a client may fail before another is made. */
const OUTAGE_MS = 8000;

describeWith('a connection', await sharedMongo(), ({ url }) => {
  it('meets no client that is closed, through an outage and after it', async () => {
    const server = new URL(url);
    const proxy = await startProxy(server.hostname, Number(server.port || 27_017));
    const connection = createConnection(
      `mongodb://127.0.0.1:${proxy.port}/qinbox_test_connection?directConnection=true`,
      3000,
    );
    const faults = new Map<string, number>();
    let [answered, ending] = [0, false];
    async function ask(): Promise<void> {
      while (!ending)
        try {
          await connection.collection('none').findOne({});
          connection.succeeded();
          answered++;
        } catch (error) {
          connection.failed();
          const fault = String(error);
          faults.set(fault, (faults.get(fault) ?? 0) + 1);
          await new Promise((resolve) => setImmediate(resolve));
        }
    }
    const asking = Promise.all(Array.from({ length: 8 }, ask));
    try {
      await waitFor('answers', () => answered > 100);
      proxy.refuse();
      const end = Date.now() + OUTAGE_MS;
      await waitFor('the outage to be long', () => Date.now() > end);
      expect(faults.size).toBeGreaterThan(0);
      proxy.resume();
      const before = answered;
      await waitFor('answers again', () => answered > before + 1000);
    } finally {
      ending = true;
      await asking;
      await connection.close();
      await proxy.close();
    }
    const closed = /^Mongo(?:TopologyClosed|NotConnected|ClientClosed|ExpiredSession|PoolClosed)/;
    expect([...faults.keys()].filter((fault) => closed.test(fault))).toEqual([]);
  });
});
