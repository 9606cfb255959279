// Mail through the whole program: an intake made over the API, mail to its address over a real connection,
// and what its owner sees.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { ConfigError } from '#core/config-error.ts';
import { buildFixture, type Fixture } from '#test/helpers/app.ts';
import { mailOf, openClient, codeOf } from '#test/helpers/mail.ts';
import { waitFor } from '#test/program/wait.ts';

interface Intake {
  id: string;
  address: string;
}
interface ShownDelivery {
  id: string;
  verdict: string;
  reason: string | null;
  notes: Record<string, string>;
}

const DOMAIN = 'in.example.com';
let app: Fixture;
let port: number;
let owners = 0;
beforeAll(async () => {
  app = await buildFixture({ SMTP_PORT: '0', SMTP_DOMAIN: DOMAIN });
  port = portOf(app);
});
afterAll(() => app.close());

function portOf({ parts }: Fixture): number {
  const state = parts.adapters.states().find(({ name }) => name === 'smtp');
  return Number(/port (\d+)$/.exec(state?.detail ?? '')?.[1]);
}

async function owner() {
  const email = `mail${++owners}@example.com`;
  const { accessToken: token } = await app.session(email);
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
    app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  return {
    call,
    async make(fields: object = {}): Promise<Intake> {
      const made = await call('POST', '/intakes', { name: 'NAS', adapter: 'smtp', ...fields });
      expect(made.status, made.text).toBe(201);
      return made.body['intake'] as Intake;
    },
    tasks: async () => (await call('GET', '/tasks')).body['tasks'] as Task[],
    deliveries: (id: string, count: number) =>
      waitFor(`${count} deliveries`, async () => {
        const { body } = await call('GET', `/intakes/${id}/deliveries`);
        const found = body['deliveries'] as ShownDelivery[];
        return found.length >= count ? found : null;
      }),
  };
}

/** Sends one mail and answers the last code of the dialogue, or the first that refused. */
async function send(address: string, mail: string, ...before: string[]): Promise<string> {
  const client = await openClient(port);
  onTestFinished(() => void client.socket.destroy());
  let code = '';
  for (const line of [
    'EHLO nas',
    ...before,
    'MAIL FROM:<nas@example.org>',
    `RCPT TO:<${address}>`,
    'DATA',
    `${mail}.`,
  ]) {
    code = codeOf(await client.say(line));
    if (!/^[23]/.test(code)) break;
  }
  return code;
}

describe('a mail to the address of an intake', () => {
  it('is a task of its owner, once, and on record with what the checks say', async () => {
    const me = await owner();
    const intake = await me.make({ defaults: { tags: ['nas'] } });
    expect(intake.address).toMatch(new RegExp(`^[a-z2-7]{26}@${DOMAIN}$`));
    const mail = mailOf('Volume 1 is degraded !high #raid', 'Disk 2 has failed.');
    expect(await send(intake.address, mail)).toBe('250 2.6.0');
    expect(await send(`volume+${intake.address.toUpperCase()}`, mail)).toBe('250 2.6.0');
    const tasks = await me.tasks();
    expect(tasks).toMatchObject([
      {
        content: 'Volume 1 is degraded',
        priority: 'high',
        source: 'email',
        metadata: { body: 'Disk 2 has failed.', verdicts: 'not checked: local sender' },
      },
    ]);
    expect(tasks[0]?.tags.toSorted()).toEqual(['nas', 'raid']);
    const deliveries = await me.deliveries(intake.id, 2);
    expect(deliveries.map(({ verdict }) => verdict).toSorted()).toEqual(['accepted', 'duplicate']);
    expect(deliveries[0]?.notes).toEqual({
      sender: 'nas@example.org',
      client: '127.0.0.1 (nas)',
      checks: 'not checked: local sender',
    });
  });

  it('without Message-ID and Date counts on its task, and is a new one once that was acknowledged', async () => {
    const me = await owner();
    const intake = await me.make();
    const mail = 'From: nas@example.org\r\nSubject: Disk full\r\n\r\n98 % used\r\n';
    expect(await send(intake.address, mail)).toBe('250 2.6.0');
    expect(await send(intake.address, mail)).toBe('250 2.6.0');
    const [task, ...others] = await me.tasks();
    expect([task, others]).toMatchObject([{ content: 'Disk full', occurrences: 2 }, []]);
    await me.call('DELETE', `/tasks/${task?.id ?? ''}`);
    expect(await send(intake.address, mail)).toBe('250 2.6.0');
    expect(await me.tasks()).toMatchObject([{ content: 'Disk full', occurrences: 1 }]);
  });

  it('that is an automatic reply is counted, and no task', async () => {
    const me = await owner();
    const intake = await me.make();
    const reply = mailOf('Out of office').replace('\r\n\r\n', '\r\nAuto-Submitted: auto-replied\r\n\r\n');
    expect(await send(intake.address, reply)).toBe('250 2.6.0');
    expect(await me.deliveries(intake.id, 1)).toMatchObject([{ verdict: 'ignored' }]);
    expect(await me.tasks()).toEqual([]);
  });

  it('is for later while the intake is paused or has had enough, and refused once it is revoked', async () => {
    const me = await owner();
    const intake = await me.make({ hourlyCap: 1 });
    await me.call('PATCH', `/intakes/${intake.id}`, { paused: true });
    expect(await send(intake.address, mailOf('paused'))).toBe('450 4.2.1');
    await me.call('PATCH', `/intakes/${intake.id}`, { paused: false });
    expect(await send(intake.address, mailOf('first'))).toBe('250 2.6.0');
    expect(await send(intake.address, mailOf('second'))).toBe('451 4.7.1');
    expect((await me.deliveries(intake.id, 3)).map(({ reason }) => reason)).toEqual([
      'Too many deliveries: the limit is 1 in 60 minutes.',
      null,
      'The intake is paused.',
    ]);
    await me.call('DELETE', `/intakes/${intake.id}`);
    expect(await send(intake.address, mailOf('third'))).toBe('550 5.1.1');
  });

  it('whose sender is not proven spends nothing of what a proven one may send', async () => {
    const me = await owner();
    const intake = await me.make({ hourlyCap: 1, settings: { requirePass: 'spf-or-dkim' } });
    const token = intake.address.split('@')[0] ?? '';
    const signIn = `AUTH PLAIN ${Buffer.from(`\0nas\0${token}`).toString('base64')}`;
    for (let times = 0; times < 3; times++)
      expect(await send(intake.address, mailOf(`Forged ${times}`, 'x'))).toMatch(
        /^550 5\.7\.26|^451 4\.4\.3/,
      );
    expect(await send(intake.address, mailOf('True', 'x'), signIn)).toBe('250 2.6.0');
    expect(await send(intake.address, mailOf('Too many', 'x'), signIn)).toBe('451 4.7.1');
    expect((await me.tasks()).map(({ content }) => content)).toEqual(['True']);
  });

  it('shows no password of an address that it names', async () => {
    const me = await owner();
    const intake = await me.make();
    const url = 'https://me:canary@nas.example.com/x';
    expect(await send(intake.address, mailOf(`Down: ${url}`, `It was at ${url}`))).toBe('250 2.6.0');
    const [task] = await me.tasks();
    expect(task).toMatchObject({
      content: 'Down: https://••••••@nas.example.com/x',
      metadata: { body: 'It was at https://••••••@nas.example.com/x', url: 'https://nas.example.com/x' },
    });
  });

  it('can be previewed, tried and read again', async () => {
    const me = await owner();
    const intake = await me.make();
    const preview = await me.call('POST', `/intakes/${intake.id}/preview`, {});
    expect(preview.body['preview']).toMatchObject({
      source: 'sample',
      tasks: [{ content: 'Nightly backup failed on nas-1', priority: 'high', tags: ['backup'] }],
    });
    expect((await me.call('POST', `/intakes/${intake.id}/test`)).status).toBe(201);
    const [tried] = await me.deliveries(intake.id, 1);
    const again = await me.call('POST', `/intakes/${intake.id}/deliveries/${tried?.id ?? ''}/replay`);
    expect(again.status, again.text).toBe(201);
    expect((await me.tasks()).map(({ content }) => content)).toEqual([
      'Nightly backup failed on nas-1',
      'Nightly backup failed on nas-1',
    ]);
  });

  it('never shows its token in the log', async () => {
    const me = await owner();
    const { address } = await me.make();
    const token = address.split('@')[0] ?? '';
    expect(await send(address, mailOf('canary'))).toBe('250 2.6.0');
    expect(
      await send(address, mailOf('x', 'y').replaceAll('\r\n\r\n', `\r\nX: ${'z'.repeat(200_000)}\r\n\r\n`)),
    ).toBe('554 5.6.0');
    expect(app.logged()).not.toContain(token);
  });
});

it.each([
  [{ allowedSenders: ['nobody'] }, 'settings/allowedSenders'],
  [{ requirePass: 'everything' }, 'settings/requirePass'],
])('settings that make no sense are refused: %j', async (settings, field) => {
  const me = await owner();
  const refused = await me.call('POST', '/intakes', { name: 'NAS', adapter: 'smtp', settings });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain(field);
});

describe('the token of an intake', () => {
  const signIn = (token: string) => `AUTH PLAIN ${Buffer.from(`\0nas\0${token}`).toString('base64')}`;

  it('of mail is good for mail alone, at no address of webhooks', async () => {
    const me = await owner();
    const { id, address } = await me.make();
    const token = address.split('@')[0] ?? '';
    const ways = [
      { path: `/hooks/${token}`, body: { text: 'x' } },
      { path: `/${token}`, body: 'x' },
      { path: `/message?token=${token}`, body: { message: 'x' } },
      { path: '/v2/enqueue', body: { routing_key: token, event_action: 'trigger', payload: {} } },
    ];
    for (const { path: url, body } of ways) {
      const { statusCode } = await app.app.inject({ method: 'POST', url, payload: body });
      expect(statusCode, url).toBeGreaterThanOrEqual(400);
    }
    expect(await send(address, mailOf('By mail'))).toBe('250 2.6.0');
    expect((await me.tasks()).map(({ content }) => content)).toEqual(['By mail']);
    expect(await me.deliveries(id, 1)).toHaveLength(1);
  });

  it('of a webhook is good for no mail, neither as recipient nor as password', async () => {
    const me = await owner();
    const hook = await me.make({ adapter: 'webhook', verification: { scheme: 'none' } });
    const token = new URL(hook.address).pathname.split('/').at(-1) ?? '';
    expect(await send(`${token}@${DOMAIN}`, mailOf('By mail'))).toBe('550 5.1.1');
    expect(await send(`root@${DOMAIN}`, mailOf('By mail'), signIn(token))).toBe('535 5.7.8');
    const { status } = await app.call('POST', `/hooks/${token}`, { body: { text: 'x' } });
    expect(status).toBe(202);
    expect(await me.tasks()).toHaveLength(1);
  });
});

it('is counted by what became of it, with the open connections', async () => {
  const counted = async (outcome: string) => {
    const { text } = await app.parts.metrics.read();
    return Number(new RegExp(`qinbox_mail_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  };
  const counts = async () => [await counted('accepted'), await counted('refused'), await counted('deferred')];
  const me = await owner();
  const [taken, paused] = [await me.make(), await me.make()];
  await me.call('PATCH', `/intakes/${paused.id}`, { paused: true });
  const [accepted = 0, refused = 0, deferred = 0] = await counts();
  expect(await send(taken.address, mailOf('disk', 'full'))).toMatch(/^250/);
  expect(await send(`nobody@${DOMAIN}`, mailOf('disk', 'full'))).toMatch(/^550/);
  expect(await send(paused.address, mailOf('disk', 'full'))).toMatch(/^450/);
  expect(await counts()).toEqual([accepted + 1, refused + 1, deferred + 1]);
  const client = await openClient(port);
  onTestFinished(() => void client.socket.destroy());
  expect((await app.parts.metrics.read()).text).toMatch(/qinbox_mail_connections [1-9]/);
});

describe('at the start', () => {
  it('a port that is taken is a warning, and says so; the rest serves', async () => {
    const other = await buildFixture({ SMTP_PORT: String(port) });
    onTestFinished(() => other.close());
    const ready = await other.call('GET', '/ready', { base: '' });
    expect(ready.status).toBe(200);
    expect(ready.body['parts']).toContainEqual({
      name: 'smtp',
      ok: false,
      detail: `no mail: port ${port} of 127.0.0.1 cannot be listened on (it is taken)`,
    });
    expect(other.logged()).toContain('mail is not served');
  });

  it.each(['192.0.2.1', 'none.invalid'])(
    'a HOST %s that is not ours is told of in words alone',
    async (HOST) => {
      const other = await buildFixture({ SMTP_PORT: '0', HOST });
      onTestFinished(() => other.close());
      const line = other
        .logged()
        .split('\n')
        .find((each) => each.includes('mail is not served'));
      expect(JSON.parse(line ?? '{}')).toMatchObject({
        host: HOST,
        reason: 'this is not an address of this machine',
      });
      expect(line).not.toContain('"stack"');
    },
  );

  it('the port of the web is one for mail where mail has an address of its own', async () => {
    const taken = String(port);
    const other = await buildFixture({ SMTP_PORT: taken, PORT: taken, SMTP_HOST: '127.0.0.2' });
    onTestFinished(() => other.close());
    const { body } = await other.call('GET', '/ready', { base: '' });
    expect(body['parts']).toContainEqual({
      name: 'smtp',
      ok: true,
      detail: `listening on 127.0.0.2 port ${taken}`,
    });
  });

  it('a process for mail alone that cannot listen is not ready', async () => {
    const other = await buildFixture({ SMTP_PORT: String(port), QINBOX_ROLES: 'smtp' });
    onTestFinished(() => other.close());
    expect((await other.app.inject('/ready')).statusCode).toBe(503);
  });

  it.each([
    [{ SMTP_TLS_KEY: '/nowhere.pem' }, 'SMTP_TLS_CERT must be set'],
    [{ SMTP_TLS_KEY: '/nowhere.pem', SMTP_TLS_CERT: '/nowhere.pem' }, 'SMTP_TLS_KEY must be a readable file'],
    [
      { SMTP_TLS_KEY: import.meta.filename, SMTP_TLS_CERT: import.meta.filename },
      'SMTP_TLS_CERT must be a PEM',
    ],
    [{ SMTP_PORT: 'mail' }, 'SMTP_PORT must be'],
    [{ SMTP_PORT: '4025', PORT: '4025' }, 'SMTP_PORT must be another port than PORT'],
    [
      { SMTP_PORT: '4025', PORT: '4025', SMTP_HOST: '0.0.0.0' },
      'SMTP_PORT must be another port than PORT, which is 4025 too',
    ],
  ])('%j stops it with the name of the variable', async (env, message) => {
    const refused = buildFixture({ SMTP_PORT: '0', ...env });
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(message);
  });
});
