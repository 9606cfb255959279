// What administrators see and do, and what Prometheus reads.
import { describe, expect, it } from 'vitest';
import { QinboxError } from '#core/errors.ts';
import type { Submission } from '#core/domain/submission.ts';
import { createTestApp, MORNING, type TestApp } from '#test/helpers/app.ts';
import { draft } from '#test/helpers/records.ts';

async function withAdmin(): Promise<TestApp & { admin: string }> {
  const test = await createTestApp();
  const { id } = await test.user('admin@example.com');
  await test.parts.storage.accounts.changeUser(id, (user) => ({ ...user, isAdmin: true }));
  return { ...test, admin: (await test.session('admin@example.com')).accessToken };
}

const submission = (ownerId: string): Submission => ({
  ownerId,
  adapter: 'webhook',
  inserts: [{ id: 'task_rejected', draft: draft({ content: 'from a webhook' }) }],
  at: MORNING,
  requestId: 'req-1',
});

describe('rejected submissions', () => {
  it('are kept with their reason, can be retried once, and become the task they were to be', async () => {
    const { call, parts, user, key, admin } = await withAdmin();
    const owner = await user();
    await parts.rejected.add(
      submission(owner.id),
      new QinboxError('PAYLOAD_TOO_LARGE', 'too large', { cause: 'secret' }),
      3,
    );
    const { body } = await call('GET', '/admin/rejected', { token: admin });
    const [stored] = body['rejected'] as [{ id: string }];
    expect(stored).toEqual({
      id: expect.stringMatching(/^rej_/),
      adapter: 'webhook',
      owner: 'me@example.com',
      content: 'from a webhook',
      tasks: 1,
      code: 'PAYLOAD_TOO_LARGE',
      reason: 'too large',
      attempts: 3,
      submittedAt: new Date(MORNING).toISOString(),
      rejectedAt: new Date(MORNING).toISOString(),
      requestId: 'req-1',
    });
    expect((await call('POST', `/admin/rejected/${stored.id}/retry`, { token: admin })).status).toBe(200);
    expect((await call('POST', `/admin/rejected/${stored.id}/retry`, { token: admin })).status).toBe(404);
    expect((await call('GET', '/tasks', { key: await key() })).body['tasks']).toMatchObject([
      { id: 'task_rejected' },
    ]);
  });

  it('whose fault was not meant for the outside keep it inside; they can be discarded, and go after 24 hours', async () => {
    const { call, clock, parts, user, admin } = await withAdmin();
    const owner = await user();
    await parts.rejected.add(submission(owner.id), new Error('connect ECONNREFUSED 10.0.0.7'), 8);
    await parts.rejected.add(submission(owner.id), new QinboxError('CONFLICT'), 1);
    const list = async () =>
      (await call('GET', '/admin/rejected', { token: admin })).body['rejected'] as {
        id: string;
        code: string;
        reason: string;
      }[];
    const stored = await list();
    expect(stored.map(({ code }) => code).toSorted()).toEqual(['CONFLICT', 'INTERNAL_ERROR']);
    expect(JSON.stringify(stored)).not.toContain('10.0.0.7');
    expect((await call('DELETE', `/admin/rejected/${stored[0]?.id}`, { token: admin })).status).toBe(200);
    expect(await list()).toHaveLength(1);
    clock.advance(14 * 60_000);
    expect(await list()).toHaveLength(1);
    clock.advance(24 * 60 * 60_000);
    expect(await parts.rejected.count()).toBe(0);
  });
});

describe('users', () => {
  type Invited = { user: { id: string }; link: { url: string; token: string; expiresAt: string } };
  const invite = async ({ call, admin }: Awaited<ReturnType<typeof withAdmin>>, body: object) =>
    call('POST', '/admin/users', { token: admin, body });

  it('are invited by a link that signs in once, are listed, and get another link', async () => {
    const test = await withAdmin();
    const { call, admin } = test;
    const made = await invite(test, { email: ' Ann@Example.com', name: 'Ann' });
    expect(made.status).toBe(201);
    const { user, link } = made.body as unknown as Invited;
    expect(user).toMatchObject({ email: 'ann@example.com', name: 'Ann', is_admin: false, is_active: true });
    expect(link).toEqual({
      url: `http://localhost:3000/inbox#signin=${link.token}`,
      token: expect.any(String),
      expiresAt: new Date(MORNING + 15 * 60_000).toISOString(),
    });
    const { token } = link;
    expect((await call('POST', '/auth/link', { body: { token } })).status).toBe(200);
    expect((await call('POST', '/auth/link', { body: { token } })).status).toBe(401);
    const { body } = await call('GET', '/admin/users', { token: admin });
    expect((body['users'] as { email: string; last_login: string | null }[]).at(-1)).toMatchObject({
      email: 'ann@example.com',
      last_login: new Date(MORNING).toISOString(),
    });
    const again = await call('POST', `/admin/users/${user.id}/link`, { token: admin });
    const second = (again.body as unknown as Invited).link;
    expect((await call('POST', '/auth/link', { body: { token: second.token } })).status).toBe(200);
  });

  it('are invited once: an address that is in use is refused, and so is one that cannot be', async () => {
    const test = await withAdmin();
    await invite(test, { email: 'ann@example.com' });
    const again = await invite(test, { email: 'ANN@example.com', is_admin: true });
    expect([again.status, again.body['error']]).toEqual([
      409,
      'There is a user ann@example.com already. Make a new sign-in link for them instead.',
    ]);
    expect((await invite(test, { email: 'no address' })).status).toBe(400);
    const { body } = await test.call('GET', '/admin/users', { token: test.admin });
    expect(body['users']).toMatchObject([{ is_admin: true }, { email: 'ann@example.com', is_admin: false }]);
  });

  it('who are disabled lose sessions, keys and links at once; enabled again they sign in anew', async () => {
    const test = await withAdmin();
    const { call, admin, parts } = test;
    const { id } = await test.user('ann@example.com');
    const key = await test.key('ann@example.com');
    const { accessToken, refreshToken } = await test.session('ann@example.com');
    const { token } = await parts.accounts.createLink(await test.user('ann@example.com'));
    const edit = (body: object) => call('PATCH', `/admin/users/${id}`, { token: admin, body });
    expect((await call('GET', '/tasks', { key })).status).toBe(200);
    expect((await edit({ is_active: false })).body['user']).toMatchObject({ is_active: false });
    expect((await call('GET', '/tasks', { key })).status).toBe(401);
    expect((await call('GET', '/tasks', { token: accessToken })).status).toBe(401);
    expect((await call('POST', '/auth/link', { body: { token } })).status).toBe(403);
    const link = await call('POST', `/admin/users/${id}/link`, { token: admin });
    expect([link.status, link.body['error']]).toEqual([
      409,
      'ann@example.com is disabled. Enable the account first.',
    ]);
    expect((await edit({ is_active: true })).status).toBe(200);
    expect((await call('GET', '/tasks', { key })).status).toBe(200);
    expect((await call('GET', '/tasks', { token: accessToken })).status).toBe(401);
    expect((await call('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(401);
  });

  it('are made administrators and no longer; nobody takes away their own access or rights', async () => {
    const test = await withAdmin();
    const { call, admin } = test;
    const self = await test.user('admin@example.com');
    const { id } = await test.user('ann@example.com');
    const { accessToken: theirs } = await test.session('ann@example.com');
    const edit = (of: string, body: object) => call('PATCH', `/admin/users/${of}`, { token: admin, body });
    expect((await edit(id, { is_admin: true })).body['user']).toMatchObject({ is_admin: true });
    expect((await call('GET', '/admin/users', { token: theirs })).status).toBe(200);
    expect((await edit(id, { is_admin: false })).body['user']).toMatchObject({ is_admin: false });
    expect((await call('GET', '/admin/users', { token: theirs })).status).toBe(403);
    for (const body of [{ is_admin: false }, { is_active: false }]) {
      const refused = await edit(self.id, body);
      expect([refused.status, refused.body['error']]).toEqual([
        409,
        expect.stringContaining('Ask another administrator.'),
      ]);
    }
    expect((await edit(self.id, { is_admin: true })).status).toBe(200);
    expect((await edit('user_none', { is_admin: true })).status).toBe(404);
    expect((await edit(id, {})).status).toBe(400);
  });

  it('who only signed up are shut out before their address gets rights', async () => {
    const test = await createTestApp({ EMAIL_SIGNIN: 'true' });
    const admin = await test.user('admin@example.com');
    await test.parts.storage.accounts.changeUser(admin.id, (user) => ({ ...user, isAdmin: true }));
    const { accessToken: token } = await test.session('admin@example.com');
    const { body } = await test.call('POST', '/auth/signup', {
      body: { name: 'x', email: 'ann@example.com', password: 'squatting' },
    });
    const { id } = body['user'] as { id: string };
    const { accessToken: squatter } = body['tokens'] as { accessToken: string };
    const edited = await test.call('PATCH', `/admin/users/${id}`, { token, body: { is_admin: true } });
    expect(edited.body['user']).toMatchObject({ is_admin: true, email_verified: true });
    expect((await test.call('GET', '/admin/users', { token: squatter })).status).toBe(401);
  });

  it('always have an administrator, whatever two of them do to each other at once', async () => {
    const test = await withAdmin();
    const self = await test.user('admin@example.com');
    const other = await test.user('ann@example.com');
    await test.parts.users.edit(self.id, other.id, { isAdmin: true });
    const edits = await Promise.allSettled([
      test.parts.users.edit(self.id, other.id, { isAdmin: false }),
      test.parts.users.edit(other.id, self.id, { isActive: false }),
    ]);
    const refused = edits.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    const users = await test.parts.users.list();
    expect(users.some(({ isAdmin, isActive }) => isAdmin && isActive)).toBe(true);
  });
});

describe('the overview', () => {
  it('tells how the server stands', async () => {
    const { call, key, admin } = await withAdmin();
    await call('POST', '/tasks/batch', {
      key: await key(),
      body: { tasks: [{ content: 'a' }, { content: 'b' }] },
    });
    const { body } = await call('GET', '/admin/overview', { token: admin });
    expect(body['overview']).toMatchObject({
      size: 'embedded',
      startedAt: new Date(MORNING).toISOString(),
      parts: [
        { name: 'store', ok: true },
        { name: 'queue', ok: true },
        { name: 'events', ok: true },
      ],
      rejected: 0,
      liveConnections: 0,
      tasksCreated: { lastMinute: 2, lastHour: 2 },
      processes: [
        {
          instance: expect.stringMatching(/-\d+$/),
          role: 'api,worker,smtp,slack',
          startedAt: new Date(MORNING).toISOString(),
          liveConnections: 0,
          tasksCreated: { lastMinute: 2, lastHour: 2 },
        },
      ],
      users: expect.arrayContaining([
        expect.objectContaining({ email: 'admin@example.com', is_admin: true }),
      ]),
    });
  });
});

describe('metrics', () => {
  const TOKEN = 'metrics-token-0123456789';
  const read = ({ app }: TestApp, authorization?: string) =>
    app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } });

  it('are open to the token alone, and closed where there is none', async () => {
    const open = await createTestApp({ METRICS_TOKEN: TOKEN });
    expect((await read(open)).statusCode).toBe(401);
    expect((await read(open, 'Bearer wrong')).statusCode).toBe(401);
    expect((await read(open, `Bearer ${TOKEN}`)).statusCode).toBe(200);
    const closed = await createTestApp();
    expect((await read(closed, `Bearer ${TOKEN}`)).statusCode).toBe(404);
  });

  it('count requests by route and status, submissions by outcome, and no ids', async () => {
    const test = await createTestApp({ METRICS_TOKEN: TOKEN });
    const key = await test.key();
    const { body } = await test.call('POST', '/tasks', { key, body: { content: 'x' } });
    const { id } = body['task'] as { id: string };
    await test.call('GET', `/tasks/${id}`, { key });
    await test.call('GET', '/tasks/task_none', { key });
    const { body: text } = await read(test, `Bearer ${TOKEN}`);
    expect(text).toContain('qinbox_http_requests_total{method="POST",route="/api/v1/tasks",status="201"} 1');
    expect(text).toContain(
      'qinbox_http_requests_total{method="GET",route="/api/v1/tasks/:id",status="404"} 1',
    );
    expect(text).toContain('qinbox_submissions_total{adapter="rest",outcome="done"} 1');
    expect(text).toMatch(/qinbox_rejected_submissions 0/);
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds /);
    expect(text).not.toContain(id);
  });

  it('say what runs, which parts answer, how long the store takes, and how far behind the sweeper is', async () => {
    const test = await createTestApp({ METRICS_TOKEN: TOKEN, QINBOX_ROLES: 'api,worker' });
    const key = await test.key();
    await test.call('POST', '/tasks', { key, body: { content: 'x' } });
    const text = async () => (await read(test, `Bearer ${TOKEN}`)).body;
    expect(await text()).toMatch(
      /qinbox_build_info\{version="[\d.]+",role="api,worker",node="v24[\d.]*"\} 1/,
    );
    expect(await text()).toContain('qinbox_ready{part="store"} 1');
    expect(await text()).toContain('qinbox_bus_connected 1');
    expect(await text()).toContain('qinbox_bus_received_total 0');
    expect(await text()).toContain('qinbox_store_seconds_count{operation="tasks.create",result="ok"} 1');
    expect(await text()).toMatch(/qinbox_sweep_lag_seconds \d/);
    test.parts.storage.check = () => Promise.reject(new Error('away'));
    expect(await text()).toContain('qinbox_ready{part="store"} 0');
    expect(await text()).toContain('qinbox_ready{part="queue"} 1');
  });

  it('say how far behind a sweeper is that cannot remove what is due', async () => {
    const test = await createTestApp({ METRICS_TOKEN: TOKEN });
    const lag = async () =>
      Number(/qinbox_sweep_lag_seconds ([\d.]+)/.exec((await read(test, `Bearer ${TOKEN}`)).body)?.[1]);
    test.parts.storage.tasks.sweep = () => Promise.reject(new Error('the disk is gone'));
    test.clock.advance(600_000);
    expect(await lag()).toBeGreaterThanOrEqual(600);
  });
});

describe('a process without the api role', () => {
  it('answers probes and nothing else', async () => {
    const { app } = await createTestApp({ QINBOX_ROLES: 'worker' });
    expect((await app.inject({ url: '/health' })).statusCode).toBe(200);
    expect((await app.inject({ url: '/ready' })).statusCode).toBe(200);
    expect((await app.inject({ url: '/api/v1/tasks' })).statusCode).toBe(404);
    expect((await app.inject({ url: '/inbox', headers: { accept: 'text/html' } })).statusCode).toBe(404);
  });
});

it('nobody is an administrator whose address is not proven, whatever was noted before that was asked for', async () => {
  const { call, parts } = await createTestApp({ EMAIL_SIGNIN: 'true' });
  const { body } = await call('POST', '/auth/signup', {
    body: { name: 'x', email: 'ann@example.com', password: 'squatting' },
  });
  const { accessToken: token } = body['tokens'] as { accessToken: string };
  const { id } = body['user'] as { id: string };
  await parts.storage.accounts.changeUser(id, (user) => ({ ...user, isAdmin: true }));
  expect((await call('GET', '/admin/overview', { token })).status).toBe(403);
  expect((await call('GET', '/auth/profile', { token })).body['user']).toMatchObject({ is_admin: false });
});
