// Webhooks and mail in the production size: taken in by one process, carried through the queue, made tasks by
// another; a worker that is killed meanwhile costs nothing.
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { startStack } from '#test/faults/stack.ts';
import { freePort, type Program } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';

interface Shown {
  id: string;
  address: string;
}

test('what is delivered to any process while workers are killed is a task exactly once, and on record', async ({
  skip,
}) => {
  const stack = await startStack();
  if ('missing' in stack) return skip(stack.missing);
  try {
    const [one, two] = stack.apis as [Program, Program];
    const mailPort = await freePort();
    await stack.startMail(mailPort);

    const printed = stack.qinbox('signin-link', '--email', 'me@example.com', '--json');
    const signedIn = await call(one.url, '/auth/link', {
      token: (JSON.parse(printed) as { token: string }).token,
    });
    const { accessToken } = signedIn['tokens'] as { accessToken: string };
    const make = async (fields: object) =>
      (await call(one.url, '/intakes', fields, accessToken))['intake'] as Shown;
    const hook = await make({ name: 'hook', adapter: 'webhook', verification: { scheme: 'none' } });
    const mail = await make({ name: 'mail', adapter: 'smtp' });

    const transport = createTransport({
      host: '127.0.0.1',
      port: mailPort,
      ignoreTLS: true,
      pool: true,
      maxConnections: 4,
    });
    const send = (index: number) =>
      transport.sendMail({
        from: 'nas@example.com',
        to: mail.address,
        subject: `mail ${index}`,
        text: 'The disk is full.',
        messageId: `<20261121090000.${index}.4711@nas.example.com>`,
      });
    const post = async (index: number) => {
      // Any API takes in what is sent to an address that another one made.
      const { url } = index % 2 === 0 ? one : two;
      const { status } = await fetch(url + new URL(hook.address).pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-delivery-id': `hook-${index}` },
        body: JSON.stringify({ title: `hook ${index}` }),
      });
      expect(status).toBe(202);
    };
    const COUNT = 20;
    const numbers = Array.from({ length: COUNT }, (_, index) => index);
    const sent = Promise.all(numbers.flatMap((index) => [send(index), post(index)]));
    await stack.workers[0]?.kill();
    await sent;
    await Promise.all([send(3), post(4)]);
    transport.close();

    const tasks = await waitFor('every delivery to be a task', async () => {
      const page = await call(two.url, '/tasks?limit=1000', undefined, accessToken);
      const found = page['tasks'] as { content: string; source: string }[];
      return found.length >= 2 * COUNT ? found : null;
    });
    const expected = numbers.flatMap((index) => [`hook ${index}`, `mail ${index}`]);
    expect(tasks.map(({ content }) => content.split('\n')[0]).toSorted()).toEqual(expected.toSorted());
    // The record follows the work.
    await waitFor('every mail to be on record', async () => {
      const path = `/intakes/${mail.id}/deliveries`;
      const { deliveries } = await call(two.url, path, undefined, accessToken);
      return (deliveries as unknown[]).length === COUNT + 1;
    });
  } finally {
    await stack.stop();
  }
});

async function call(
  url: string,
  path: string,
  body?: object,
  token?: string,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  expect(response.ok, JSON.stringify(answer)).toBe(true);
  return answer;
}
