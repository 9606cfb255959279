// The own account: its file, taken in here and elsewhere, and its end.
import { describe, expect, it, vi } from 'vitest';
import type { AccountFile } from '#core/contract/index.ts';
import { createTestApp, type TestApp } from '#test/helpers/app.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { insertOf } from '#test/helpers/records.ts';

const ME = 'me@example.com';
const SECRET = 'a secret of a sender';

/** An account with one of everything; its file, and the secrets that it must not have. */
async function settled(app: TestApp, email = ME) {
  const { call, parts, user } = app;
  const owner = await user(email);
  const { accessToken: token } = await app.session(email);
  const key = await app.key(email);
  const done = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = await call(method, path, { token, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const intake = (await done('POST', '/intakes', {
    name: 'Disk alarms',
    adapter: 'webhook',
    verification: { scheme: 'bearer', secret: SECRET },
    mapping: { content: '{{ text }}' },
    defaults: { tags: ['nas'] },
  })) as { intake: { id: string; address: string } };
  const open = (await done('POST', '/intakes', {
    name: 'Open',
    adapter: 'webhook',
    verification: { scheme: 'none' },
  })) as { intake: { id: string; address: string } };
  const told = (await done('POST', '/webhooks', {
    name: 'Bot',
    url: 'https://hooks.example.com/x',
    events: ['task.created'],
    filter: { intakes: [intake.intake.id] },
  })) as { webhook: { id: string }; secret: string };
  await done('POST', '/views', { name: 'Nas', key: '4', query: `intake=${intake.intake.id}` });
  await done('PUT', '/push/rules', {
    priorities: ['high', 'normal'],
    intakes: [intake.intake.id],
    tags: null,
    withhold: true,
    quiet: { from: '22:00', to: '07:00', zone: 'Europe/Berlin', days: [1, 2], pass: ['high'] },
    doNotDisturbUntil: null,
  });
  await done('POST', '/escalations', {
    name: 'Night',
    intake: intake.intake.id,
    priorities: ['high'],
    steps: [
      { afterMinutes: 5, kind: 'push' },
      { afterMinutes: 10, kind: 'webhook', to: told.webhook.id },
      { afterMinutes: 15, kind: 'slack', to: 'https://hooks.slack.com/services/T0/B0/very-secret' },
    ],
  });
  await done('PUT', '/digest', { digest: { time: '08:00', zone: 'UTC', to: ['task'] } });
  const { address } = open.intake;
  await call('POST', new URL(address).pathname.replace('/api/v1', ''), { body: { text: 'from outside' } });
  const plain = await done('POST', '/tasks', {
    content: 'plain',
    metadata: { a: { $b: 1 } },
    dedupeKey: 'disk',
  });
  await done('POST', '/tasks', { content: 'pinned', pinned: true, tags: ['x'], priority: 'high' });
  const asleep = await done('POST', '/tasks', { content: 'asleep' });
  const { id } = asleep['task'] as { id: string };
  await done('POST', `/tasks/${id}/snooze`, { minutes: 600 });
  const exported = await call('GET', '/account/export', { token });
  expect(exported.status, exported.text).toBe(200);
  const secrets = [
    key,
    SECRET,
    told.secret,
    new URL(address).pathname.split('/').at(-1) ?? '',
    'very-secret',
  ];
  const hashes = (await parts.storage.accounts.listKeys(owner.id)).map(({ hash }) => hash);
  return {
    owner,
    token,
    key,
    intake: intake.intake.id,
    webhook: told.webhook.id,
    task: (plain['task'] as { id: string }).id,
    text: exported.text,
    file: exported.body as unknown as AccountFile,
    secrets: [...secrets, ...hashes, token],
  };
}

const taking =
  (app: TestApp, token: string) =>
  async (file: object, query = '') => {
    const { status, body, text } = await app.call('POST', `/account/import${query}`, { token, body: file });
    expect(status, text).toBe(200);
    return body['import'] as Record<'taken' | 'there' | 'leftOut', Record<string, number>> &
      Record<'reasons' | 'toDo', { kind: string; name: string; reason?: string; what?: string }[]>;
  };

const ALL = { intakes: 2, webhooks: 1, views: 1, pushRules: 1, escalations: 1, digest: 1, keys: 0, tasks: 4 };

describe('the file of an account', () => {
  it('has all that is its owner’s, no secret, and nothing of another', async () => {
    const app = await createTestApp();
    await settled(app, 'other@example.com');
    const { file, text, secrets, intake } = await settled(app);
    expect(file.counts).toEqual({ ...ALL, keys: 1 });
    expect(file.tasks.map((task) => [task.content, task.pinned, task.snoozedUntil !== null])).toEqual([
      ['from outside', false, false],
      ['plain', false, false],
      ['pinned', true, false],
      ['asleep', false, true],
    ]);
    expect(file.intakes.map(({ id, name }) => [id === intake, name])).toContainEqual([true, 'Disk alarms']);
    for (const secret of secrets) expect(text).not.toContain(secret);
    expect(text).not.toContain('other@example.com');
  });

  it('has more tasks than one page, each once', async () => {
    const app = await createTestApp();
    const owner = await app.user();
    for (let made = 0; made < 3; made++) {
      const inserts = Array.from({ length: 400 }, () => insertOf());
      await app.parts.storage.tasks.create(submissionOf({ ownerId: owner.id, inserts, at: app.clock.now() }));
    }
    const { accessToken: token } = await app.session();
    const { body } = await app.call('GET', '/account/export', { token });
    const { tasks } = body as unknown as AccountFile;
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1200);
  });

  it('ends in the middle once its session has ended, or its account is deleted', async () => {
    for (const end of ['session', 'account'] as const) {
      const app = await createTestApp();
      const { tasks } = app.parts.storage;
      const owner = await app.user();
      for (let made = 0; made < 3; made++) {
        const inserts = Array.from({ length: 400 }, () => insertOf());
        await tasks.create(submissionOf({ ownerId: owner.id, inserts, at: app.clock.now() }));
      }
      const { accessToken: token } = await app.session();
      const headers = { authorization: `Bearer ${token}` };
      const listById = tasks.listById.bind(tasks);
      const read = vi.spyOn(tasks, 'listById');
      read.mockImplementationOnce(listById).mockImplementationOnce(async (range) => {
        if (end === 'session') await app.call('POST', '/auth/logout', { token });
        else await app.call('DELETE', '/account', { token, body: { confirm: ME } });
        return listById(range);
      });
      const url = '/api/v1/account/export';
      const cut = app.app.inject({ method: 'GET', url, headers });
      await expect(cut.then(({ body }) => JSON.parse(body) as object)).rejects.toThrow();
      expect(read).toHaveBeenCalledTimes(2);
      if (end === 'account') continue;
      const { accessToken: another } = await app.session();
      expect((await app.call('GET', '/account/export', { token: another })).status).toBe(200);
    }
  });

  it('goes into another server: all of it under its ids and times, switched off where a secret is missing', async () => {
    const from = await createTestApp();
    const { file, task, intake, webhook } = await settled(from);
    const to = await createTestApp();
    const { accessToken: token } = await to.session('new@example.com');
    const take = taking(to, token);
    const planned = await take(file, '?dryRun=true');
    expect((await to.call('GET', '/tasks', { token })).body['pagination']).toMatchObject({ total: 0 });
    const done = await take(file);
    expect(done.taken).toEqual(ALL);
    expect([planned.taken, planned.toDo]).toEqual([done.taken, done.toDo]);
    expect(done.reasons).toMatchObject([{ kind: 'keys', name: 'test' }]);

    const again = await to.call('GET', '/account/export', { token });
    const there = again.body as unknown as AccountFile;
    const withoutIntake = ({ intake: _intake, ...one }: AccountFile['tasks'][number]) => one;
    expect(there.tasks.map(withoutIntake)).toEqual(file.tasks.map(withoutIntake));
    expect(there.tasks.map(({ id }) => id)).toContain(task);
    const made = there.intakes.find(({ name }) => name === 'Disk alarms');
    expect(made).toMatchObject({ paused: true, verification: { scheme: 'bearer', secrets: [] } });
    expect(made?.id).not.toBe(intake);
    expect(there.intakes.find(({ name }) => name === 'Open')?.paused).toBe(false);
    expect(there.tasks[0]?.intake?.id).toBe(there.intakes.find(({ name }) => name === 'Open')?.id);
    expect(there.webhooks[0]).toMatchObject({ filter: { intakes: [made?.id] } });
    expect(there.webhooks[0]?.id).not.toBe(webhook);
    expect(there.views[0]?.query).toBe(`intake=${made?.id}`);
    expect(there.pushRules?.intakes).toEqual([made?.id]);
    expect(there.escalations[0]).toMatchObject({
      intake: made?.id,
      paused: true,
      steps: [{ kind: 'push' }, { kind: 'webhook', to: there.webhooks[0]?.id }],
    });
    const { webhooks } = (await to.call('GET', '/webhooks', { token })).body as {
      webhooks: { off: { reason: string } | null }[];
    };
    expect(webhooks[0]?.off?.reason).toContain('Make a new one');
  });

  it('taken in a second time, here or there, changes nothing', async () => {
    const app = await createTestApp();
    const { file, token } = await settled(app);
    expect(await taking(app, token)(file)).toMatchObject({ taken: noneOf(ALL), there: ALL });
    const { accessToken: other } = await app.session('new@example.com');
    const take = taking(app, other);
    expect((await take(file)).taken).toEqual(ALL);
    const before = (await app.call('GET', '/account/export', { token: other })).body;
    expect(await take(file)).toMatchObject({ taken: noneOf(ALL), there: ALL });
    expect((await app.call('GET', '/account/export', { token: other })).body).toEqual(before);
  });

  it('proves nothing with a secret that it has not: an imported intake refuses its sender', async () => {
    const app = await createTestApp();
    const { file } = await settled(app);
    const { accessToken: token } = await app.session('new@example.com');
    await taking(app, token)(file);
    const { intakes } = (await app.call('GET', '/intakes', { token })).body as {
      intakes: { id: string; name: string; address: string }[];
    };
    const { id, address = '' } = intakes.find(({ name }) => name === 'Disk alarms') ?? {};
    await app.call('PATCH', `/intakes/${id}`, { token, body: { paused: false } });
    const path = new URL(address).pathname.replace('/api/v1', '');
    for (const sent of [SECRET, '', 'undefined']) {
      const headers = { authorization: `Bearer ${sent}` };
      const { status } = await app.call('POST', path, { headers, body: { text: 'x' } });
      expect(status).toBe(401);
    }
  });

  it('never writes over, and never shows, what is another’s', async () => {
    const app = await createTestApp();
    const { file, token, owner } = await settled(app);
    const before = (await app.call('GET', '/account/export', { token })).body;
    const { accessToken: thief } = await app.session('thief@example.com');
    const forged = {
      ...file,
      tasks: file.tasks.map((task) => ({ ...task, content: 'forged' })),
      webhooks: file.webhooks.map((webhook) => ({ ...webhook, name: 'forged' })),
      intakes: file.intakes.map((intake) => ({ ...intake, name: 'forged' })),
    };
    const answer = await taking(app, thief)(forged);
    expect(answer.taken).toMatchObject({ tasks: 4, webhooks: 1, intakes: 2 });
    expect((await app.call('GET', '/account/export', { token })).body).toEqual(before);
    const forgery = (await app.call('GET', '/account/export', { token: thief }))
      .body as unknown as AccountFile;
    expect(forgery.tasks.map(({ content }) => content)).toEqual(Array.from({ length: 4 }, () => 'forged'));
    // Two tasks with one id cannot go into a store where an id is of one task.
    const ids = [...file.tasks, ...forgery.tasks].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const lanes = await app.parts.storage.webhooks.list(owner.id);
    expect(lanes.map(({ name }) => name)).toEqual(['Bot']);
  });

  it('says what has no room or no time, and takes the rest', async () => {
    const from = await createTestApp();
    const { file } = await settled(from);
    const to = await createTestApp({ MAX_TASKS_PER_OWNER: '2' });
    const { accessToken: token } = await to.session();
    const late = { ...file, tasks: file.tasks.map((one) => ({ ...one })) };
    Object.assign(late.tasks[0] as object, { expiresAt: '2026-11-21T08:00:00.000Z' });
    const { taken, leftOut, reasons } = await taking(to, token)(late);
    expect([taken['tasks'], leftOut['tasks']]).toEqual([2, 2]);
    expect(reasons.map(({ reason }) => reason).join(' ')).toMatch(/time was up.*may hold 2 tasks/s);
    expect((await to.call('GET', '/tasks/statistics', { token })).status).toBeLessThan(500);
  });

  it('says what has no place before it is taken in, as it does then', async () => {
    const from = await createTestApp();
    const { file } = await settled(from);
    const copies = (one: object | undefined, count: number, change: (at: number) => object) =>
      Array.from({ length: count }, (_none, at) => ({ ...one, ...change(at) }));
    const parts = {
      intakes: copies(file.intakes[0], 101, (at) => ({ id: `in_${at}` })),
      webhooks: copies(file.webhooks[0], 11, (at) => ({ id: `wh_${at}`, filter: {} })),
      views: copies(file.views[0], 51, (at) => ({ name: `View ${at}`, key: null, query: 'tag=nas' })),
      escalations: copies(file.escalations[0], 51, (at) => ({
        name: `Of ${at}`,
        intake: `in_${at}`,
        steps: [{ id: 'step_1', afterMinutes: 5, kind: 'push', to: null, shown: null }],
      })),
    };
    const sizes = Object.entries(parts).map(([kind, list]) => [kind, list.length] as const);
    const many = { ...file, ...parts, counts: { ...file.counts, ...Object.fromEntries(sizes) } };
    const to = await createTestApp();
    const { accessToken: token } = await to.session('new@example.com');
    const take = taking(to, token);
    const planned = await take(many, '?dryRun=true');
    const done = await take(many);
    for (const [kind, size] of sizes) {
      expect([done.taken[kind], done.leftOut[kind]]).toEqual([size - 1, 1]);
      const [reason] = done.reasons.filter((one) => one.kind === kind);
      expect(reason?.reason).toContain(`There are ${size - 1} `);
    }
    expect(planned).toEqual({ ...done, dryRun: true });
  });

  it('leaves out what is about an intake that is left out, and takes both in once that can be', async () => {
    const from = await createTestApp();
    const { file } = await settled(from);
    const to = await createTestApp();
    const { accessToken: token } = await to.session('new@example.com');
    const take = taking(to, token);
    const intakes = file.intakes.map((one) =>
      one.name === 'Disk alarms' ? { ...one, preset: 'of an adapter that is not here' } : one,
    );
    const planned = await take({ ...file, intakes }, '?dryRun=true');
    const done = await take({ ...file, intakes });
    const none = { intakes: 1, webhooks: 1, views: 1, pushRules: 1, escalations: 1, keys: 1 };
    expect(done.leftOut).toEqual({ ...noneOf(ALL), ...none });
    const about = done.reasons.filter(({ reason = '' }) => reason.startsWith('It is about “Disk alarms”'));
    expect(about.map(({ kind }) => kind)).toEqual(['webhooks', 'views', 'pushRules', 'escalations']);
    expect(planned).toEqual({ ...done, dryRun: true });
    const { taken, leftOut } = await take(file);
    expect([taken, leftOut]).toEqual([
      { ...noneOf(ALL), ...none, keys: 0 },
      { ...noneOf(ALL), keys: 1 },
    ]);
  });

  it('finds its choices of pushes there again when a “do not disturb” of them is over', async () => {
    const app = await createTestApp();
    const { token, file: before } = await settled(app);
    const doNotDisturbUntil = new Date(app.clock.now() + 60_000).toISOString();
    const set = await app.call('PUT', '/push/rules', {
      token,
      body: { ...before.pushRules, doNotDisturbUntil },
    });
    expect(set.status, set.text).toBe(200);
    app.clock.advance(120_000);
    const file = (await app.call('GET', '/account/export', { token })).body;
    const { accessToken: other } = await app.session('new@example.com');
    const take = taking(app, other);
    expect((await take(file)).taken['pushRules']).toBe(1);
    expect((await take(file)).there['pushRules']).toBe(1);
  });

  it.each([
    ['is of a newer Qinbox', { version: 2 }, 'a newer Qinbox wrote it'],
    ['is of a newer Qinbox, in its form', { version: 2, tasks: 'elsewhere' }, 'a newer Qinbox wrote it'],
    ['is another file', { qinbox: 'export' }, 'qinbox: must be one of: account'],
    ['was cut', { tasks: [] }, 'the file has 0: it is damaged'],
    ['has no end', { counts: undefined }, 'counts: is required'],
    ['has an id of another form', { webhooks: [{ id: '../x' }] }, 'must be an id that begins with wh_'],
  ])('that %s is refused, and nothing is changed', async (_, change, sentence) => {
    const app = await createTestApp();
    const { file } = await settled(app);
    const { accessToken: token } = await app.session('new@example.com');
    const before = (await app.call('GET', '/account', { token })).body;
    const { status, body } = await app.call('POST', '/account/import', {
      token,
      body: { ...file, ...change },
    });
    expect([status, body['code']]).toEqual([400, 'VALIDATION_ERROR']);
    expect(JSON.stringify(body)).toContain(sentence);
    expect((await app.call('GET', '/account', { token })).body).toEqual(before);
  });

  it('that is no JSON, or too large, is refused', async () => {
    const app = await createTestApp();
    const { accessToken: token } = await app.session();
    const send = (body: string) =>
      app.call('POST', '/account/import', { token, body, headers: { 'content-type': 'application/json' } });
    expect((await send('{"qinbox": "account", "tasks": [')).text).toContain('not valid JSON');
    expect((await send(' '.repeat(16 * 1024 * 1024 + 1))).status).toBe(413);
  });

  it('of an older server, with tasks in whose text nothing is seen, says of them what there is to say', async () => {
    const app = await createTestApp();
    const { file } = await settled(app);
    const to = await createTestApp();
    const { accessToken: token } = await to.session('new@example.com');
    const [one] = file.tasks.filter(({ intake }) => intake !== undefined);
    const unseen = { ...one, intake: undefined, dedupeKey: undefined };
    const tasks = [
      { ...one, id: 'task_1', content: '\u200B\u2800' },
      { ...unseen, id: 'task_2', content: '\u3164' },
    ];
    const counts = { ...file.counts, tasks: 2 };
    expect((await taking(to, token)({ ...file, tasks, counts })).taken['tasks']).toBe(2);
    const list = (await to.call('GET', '/tasks', { token })).body['tasks'] as { content: string }[];
    expect(list.map(({ content }) => content).toSorted()).toEqual([
      'A task without a text',
      `Something arrived at ${one?.intake?.name}`,
    ]);
    const empty = [{ ...unseen, content: ' ' }];
    const body = { ...file, tasks: empty, counts: { ...counts, tasks: 1 } };
    expect((await to.call('POST', '/account/import', { token, body })).status).toBe(400);
  });

  it('with one task that cannot be is refused as a whole, with its number', async () => {
    const app = await createTestApp();
    const { file } = await settled(app);
    const { accessToken: token } = await app.session('new@example.com');
    const tasks = file.tasks.map((one, at) => (at === 2 ? { ...one, content: 'x'.repeat(10_001) } : one));
    const { status, body } = await app.call('POST', '/account/import', { token, body: { ...file, tasks } });
    expect([status, body['details']]).toMatchObject([400, [{ field: 'tasks/2/content' }]]);
    expect((await app.call('GET', '/intakes', { token })).body['intakes']).toEqual([]);
  });
});

function noneOf(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.keys(counts).map((kind) => [kind, 0]));
}

describe('deleting an account', () => {
  const remove = (app: TestApp, token: string, body: object) =>
    app.call('DELETE', '/account', { token, body });

  it('ends everything at once, and leaves nothing: the address is free for a new one', async () => {
    const app = await createTestApp();
    const { owner, token, key, file } = await settled(app);
    const address = (await app.parts.intakes.list(owner.id)).length;
    expect(address).toBe(2);
    expect((await app.call('GET', '/account', { token })).body['account']).toMatchObject({
      email: ME,
      obstacle: null,
      devices: 0,
      counts: file.counts,
    });
    expect((await remove(app, token, { confirm: ' ME@example.com ' })).status).toBe(200);
    for (const credentials of [{ token }, { key }])
      expect((await app.call('GET', '/tasks', credentials)).status).toBe(401);
    expect((await app.call('POST', '/tasks', { key, body: { content: 'late' } })).status).toBe(401);
    await expect(app.session()).rejects.toMatchObject({ code: 'FORBIDDEN' });
    app.clock.advance(31_000);
    await app.parts.deletion.finish();
    expect(await app.parts.storage.accounts.getUser(owner.id)).toBeNull();
    const again = await app.session();
    const { body } = await app.call('GET', '/account', { token: again.accessToken });
    expect(body['account']).toMatchObject({ counts: noneOf(ALL) });
  });

  it('drops what was under way for it, and counts it', async () => {
    const app = await createTestApp({ METRICS_TOKEN: 'a token of sixteen or more' });
    const { owner, token } = await settled(app);
    const submission = submissionOf({ ownerId: owner.id, inserts: [insertOf({ content: 'late' })] });
    await remove(app, token, { confirm: ME });
    expect(await app.parts.submissions.carryOut(submission)).toEqual({ kind: 'dropped' });
    app.clock.advance(31_000);
    await app.parts.deletion.finish();
    expect(await app.parts.submissions.carryOut(submission)).toEqual({ kind: 'dropped' });
    const request = { ownerId: owner.id, adapter: 'rest', drafts: [insertOf().draft], requestId: 'r' };
    await expect(app.parts.submissions.enqueue(request)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await app.parts.rejected.count()).toBe(0);
    const metrics = await app.parts.metrics.read();
    expect(metrics.text).toMatch(/submissions_total\{adapter="webhook",outcome="dropped"\} 2/);
  });

  it('ends an import that is under way: nothing is added once everything was removed', async () => {
    const app = await createTestApp();
    const { owner, token, file } = await settled(app);
    const [task] = file.tasks;
    const tasks = Array.from({ length: 250 }, (_none, index) => ({
      ...task,
      id: `task_00000000000${index}`,
    }));
    const many = { ...file, tasks, counts: { ...file.counts, tasks: 250 } } as AccountFile;
    const { accounts, tasks: store } = app.parts.storage;
    const added = async () => (await store.statistics(owner.id, app.clock.now())).total - 3;
    const isAllowed = async () => {
      if ((await added()) === 100) {
        await remove(app, token, { confirm: ME });
        app.clock.advance(31_000);
        await app.parts.deletion.finish();
      }
      return (await accounts.getUser(owner.id)) !== null;
    };
    const importing = app.parts.importAccount(owner.id, many, { dryRun: false, isAllowed });
    await expect(importing).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await added()).toBe(-3);
  });

  it('asks for the address of the account, and takes no key', async () => {
    const app = await createTestApp();
    const { accessToken: token } = await app.session();
    const refused = await remove(app, token, { confirm: 'you@example.com' });
    expect([refused.status, refused.body['details']]).toMatchObject([400, [{ field: 'confirm' }]]);
    const byKey = await app.call('DELETE', '/account', { key: await app.key(), body: { confirm: ME } });
    expect(byKey.status).toBe(403);
    expect((await app.call('GET', '/account', { token })).status).toBe(200);
  });

  it('needs another administrator, whom the last one can name', async () => {
    const app = await createTestApp();
    const { id } = await app.user();
    await app.parts.users.setAdmin(id, true);
    const { accessToken: token } = await app.session();
    const overview = await app.call('GET', '/account', { token });
    expect(overview.body['account']).toMatchObject({ obstacle: 'last-administrator' });
    const refused = await remove(app, token, { confirm: ME });
    expect([refused.status, refused.body['details']]).toMatchObject([409, [{ field: 'administrator' }]]);
    for (const administrator of ['nobody@example.com', ME])
      expect((await remove(app, token, { confirm: ME, administrator })).status).toBe(400);
    expect((await app.call('GET', '/account', { token })).status).toBe(200);
    const next = await app.user('next@example.com');
    const left = await remove(app, token, { confirm: ME, administrator: next.email });
    expect(left.status).toBe(200);
    expect(await app.parts.storage.accounts.getUser(next.id)).toMatchObject({ isAdmin: true });
  });

  it('lets nobody but an administrator make one', async () => {
    const app = await createTestApp();
    await app.user('next@example.com');
    const { accessToken: token } = await app.session();
    const { status } = await remove(app, token, { confirm: ME, administrator: 'next@example.com' });
    expect(status).toBe(403);
    expect((await app.call('GET', '/account', { token })).status).toBe(200);
  });

  it('is refused to the owner of the public queue, and makes nobody an administrator then', async () => {
    const app = await createTestApp({ GUEST_QUEUE: ME });
    const { id } = await app.user();
    await app.parts.users.setAdmin(id, true);
    const { accessToken: token } = await app.session();
    const next = await app.user('next@example.com');
    const naming = await remove(app, token, { confirm: ME, administrator: next.email });
    expect([naming.status, naming.body['error']]).toEqual([409, expect.stringContaining('GUEST_QUEUE')]);
    expect(await app.parts.storage.accounts.getUser(next.id)).toMatchObject({ isAdmin: false });
    const refused = await remove(app, token, { confirm: ME });
    expect([refused.status, refused.body['error']]).toEqual([409, expect.stringContaining('GUEST_QUEUE')]);
    expect((await app.call('GET', '/account', { token })).body['account']).toMatchObject({
      obstacle: 'guest-queue',
    });
  });

  it('cannot be undone by an administrator who lets the user in again', async () => {
    const app = await createTestApp();
    const { id } = await app.user();
    const { accessToken: token } = await app.session();
    await remove(app, token, { confirm: ME });
    await expect(app.parts.users.setActive(id, true)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(app.parts.users.setAdmin(id, true)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
