// No webhook reaches an address of the inside, however it is written: the real program connects to none.
import { hostname } from 'node:os';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { WebhookDelivery } from '#core/contract/index.ts';
import { startReceiver } from '#test/helpers/receivers.ts';
import { createSignInLink, startProgram, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

/** Listens on all addresses of the machine; counts who connects. */
async function startVictim(): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const HOSTS = [
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0.0.0.0',
    '0',
    '127.0.0.3',
  ],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[0:0:0:0:0:0:0:1]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'foo.localhost', hostname()],
  ...['10.0.0.1', '169.254.169.254', '[fe80::1]', '[fd00:ec2::254]'],
];

it(
  'connects to no address of the inside, by no spelling, name or redirect',
  { timeout: 900_000 },
  async () => {
    const folder = temporaryFolder('inside');
    onTestFinished(() => folder.remove());
    const dataDir = join(folder.path, 'data');
    const victim = await startVictim();
    // One address that the operator allows, from which a receiver sends elsewhere.
    const env = {
      WEBHOOK_HTTP: 'true',
      OUTGOING_ALLOW: '127.0.0.2',
      RATE_LIMIT_SESSION_PER_MINUTE: '100000',
    };
    const program = await startProgram({ dataDir, env });
    onTestFinished(() => program.kill());
    const link = new URL(createSignInLink(dataDir, program.url, 'me@example.com'));
    let authorization = '';
    const request = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${program.url}/api/v1${path}`, {
        method,
        headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const token = new URLSearchParams(link.hash.slice(1)).get('signin');
    const { tokens } = (await request('POST', '/auth/link', { token })).body as {
      tokens: { accessToken: string };
    };
    authorization = `Bearer ${tokens.accessToken}`;

    /** What comes of a message to an address: 400 where it cannot even be named. */
    async function attempt(url: string): Promise<string> {
      const made = await request('POST', '/webhooks', { name: 'x', url, events: ['task.created'] });
      if (made.status === 400) return 'refused at once';
      const { id } = made.body['webhook'] as { id: string };
      await request('POST', `/webhooks/${id}/test`);
      const error = await waitFor(`the attempt at ${url}`, async () => {
        const { deliveries } = (await request('GET', `/webhooks/${id}/deliveries`)).body as {
          deliveries: WebhookDelivery[];
        };
        const [sent] = deliveries;
        return sent !== undefined && sent.attempts > 0 ? (sent.answer?.error ?? 'it was taken') : null;
      });
      await request('DELETE', `/webhooks/${id}`);
      return error;
    }

    for (const host of HOSTS) {
      const came = await attempt(`http://${host}:${victim.port}/`);
      expect([host, came]).not.toEqual([host, 'it was taken']);
    }
    const redirects = await startReceiver(
      (_, response) => response.writeHead(307, { location: `http://127.0.0.1:${victim.port}/` }).end(),
      0,
      '127.0.0.2',
    );
    onTestFinished(redirects.close);
    expect(await attempt(redirects.url)).toContain('redirects');
    expect(redirects.received).toHaveLength(1);
    expect(victim.connections()).toBe(0);
  },
);
