// What the program tells the devices of an owner, over the wire, in both sizes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_RULES } from '#core/domain/push.ts';
import { waitFor } from '#test/program/wait.ts';
import type { Pushed, TestBrowser } from './push-service.ts';
import { startEmbedded, startProduction, SUBJECT, type PushOwner, type PushStage } from './stage.ts';

const DAYS = [0, 1, 2, 3, 4, 5, 6];
const titled = (title: string) => (message: Pushed) => message.notification?.title === title;
const closing = (id: string) => (message: Pushed) => message.ids?.includes(id) === true;
const titles = ({ received }: TestBrowser) =>
  received.flatMap(({ message }) => message.notification?.title ?? []);

/** Quiet hours of UTC from an hour ago to an hour from now. */
function quietNow(pass: string[] = []) {
  const time = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16);
  return { from: time(-3_600_000), to: time(3_600_000), zone: 'UTC', days: DAYS, pass };
}

const SIZES: [string, () => Promise<PushStage | { missing: string }>][] = [
  ['embedded', startEmbedded],
  ['in the production size', startProduction],
];

describe.each(SIZES)('pushes of the program, %s', (_name, start) => {
  let stage: PushStage | null = null;
  let owner: PushOwner | null = null;
  let missing = '';
  beforeAll(async () => {
    const started = await start();
    if ('missing' in started) ({ missing } = started);
    else stage = started;
  });
  afterAll(() => stage?.stop());
  const on = (): PushOwner => owner as PushOwner;
  const rules = async (fields: object) => {
    const { status } = await on().call('PUT', '/push/rules', { ...DEFAULT_RULES, ...fields });
    expect(status).toBe(200);
  };
  /** For a test: an owner of its own, where the program could be started. */
  const begin = (skip: (reason: string) => never) => {
    if (stage === null) return skip(missing);
    owner = stage.owner();
  };

  it('tell each browser of a new task, encrypted, by who the server is, and nobody of any other', async ({
    skip,
  }) => {
    begin(skip);
    const browsers = [await on().subscribe(), await on().subscribe()];
    await on().add('not urgent', { priority: 'normal' });
    const id = await on().add('disk full\non nas', { expiryMinutes: 60, tags: ['ops'] });
    const { body } = await on().call('GET', '/push');
    const { publicKey } = body['push'] as { publicKey: string };
    for (const browser of browsers) {
      const { message, headers, claims } = await browser.next('the push', titled('disk full'));
      const navigate = `https://qinbox.example.com/inbox?task=${id}`;
      expect(message).toEqual({
        web_push: 8030,
        notification: {
          title: 'disk full',
          body: 'on nas\napi',
          navigate,
          tag: `task:${id}`,
          actions: [
            { action: 'acknowledge', title: 'Acknowledge', navigate: `${navigate}&do=acknowledge` },
            { action: 'pin', title: 'Pin', navigate: `${navigate}&do=pin` },
          ],
          data: { kind: 'task', id, token: expect.any(String) },
        },
        app_badge: 1,
      });
      expect(headers).toMatchObject({ urgency: 'high', 'content-type': 'application/octet-stream' });
      expect(headers['topic']).toMatch(/^[\w-]{32}$/);
      expect(Number(headers['ttl'])).toBeGreaterThan(3500);
      expect(Number(headers['ttl'])).toBeLessThanOrEqual(3600);
      expect(claims).toMatchObject({ sub: SUBJECT, key: publicKey });
      expect(titles(browser)).toEqual(['disk full']);
    }
    await waitFor('the devices to have been used', async () => {
      const { body: now } = await on().call('GET', '/push');
      const { devices } = now['push'] as { devices: { lastUsedAt: string | null }[] };
      return devices.every(({ lastUsedAt }) => lastUsedAt !== null);
    });
  });

  it('tell once, whichever process stores the task', async ({ skip }) => {
    begin(skip);
    const browser = await on().subscribe();
    const contents = Array.from({ length: 10 }, (_, index) => `queued ${index}`);
    for (const content of contents)
      await on().call('POST', '/tasks', { content, priority: 'high' }, { prefer: 'respond-async' });
    await waitFor('all of them', () => browser.received.length >= 10);
    await on().add('the last');
    await browser.next('the last', titled('the last'));
    expect(titles(browser).toSorted()).toEqual([...contents, 'the last'].toSorted());
  });

  it('replace a notification when a task is reported again, without a sound', async ({ skip }) => {
    begin(skip);
    const browser = await on().subscribe();
    const id = await on().add('disk full', { dedupeKey: 'disk' });
    await browser.next('the push');
    await on().add('disk full', { dedupeKey: 'disk' });
    const { message } = await browser.next('the repeat', (one) => one.notification?.silent === true);
    expect(message.notification).toMatchObject({ tag: `task:${id}`, body: 'api · 2 times' });
  });

  it('close the notification when the task is acknowledged, and when it is snoozed', async ({ skip }) => {
    begin(skip);
    const browser = await on().subscribe();
    const [done, later] = [await on().add('done'), await on().add('later')];
    const { headers: shown } = await browser.next('the push', titled('done'));
    await browser.next('the push', titled('later'));
    await on().call('DELETE', `/tasks/${done}`);
    const { message, headers } = await browser.next('what closes it', closing(done));
    expect(message).toEqual({ kind: 'close', ids: [done], app_badge: 1 });
    // In its place, on a device that was away.
    expect(headers['topic']).toBe(shown['topic']);
    await on().call('POST', `/tasks/${later}/snooze`, { minutes: 60 });
    expect((await browser.next('what closes it', closing(later))).message.app_badge).toBe(0);
  });

  it('come of what wakes although the program is killed before the push service has answered', async ({
    skip,
  }) => {
    begin(skip);
    const browser = await on().subscribe();
    const id = await on().add('back soon');
    await browser.next('the push', titled('back soon'));
    const snoozedUntil = new Date(Date.now() + 6000).toISOString();
    await on().call('PATCH', '/tasks', { tasks: [{ id, snoozedUntil }] });
    await browser.next('what closes it', closing(id));
    const never = new Promise<void>(() => {});
    browser.answers.push({ status: 201, after: never });
    await waitFor('the push that is not answered', () => titles(browser).length === 2);
    await (stage as PushStage).restart();
    await waitFor('it to be pushed again', () => titles(browser).length === 3);
    expect(titles(browser)).toEqual(['back soon', 'back soon', 'back soon']);
  });

  it('leave to nobody for what is acknowledged before it is sent', async ({ skip }) => {
    begin(skip);
    const browser = await on().subscribe();
    const { processes } = stage as PushStage;
    let release = () => {};
    const after = new Promise<void>((resolve) => (release = () => resolve()));
    for (let index = 0; index < processes; index++) browser.answers.push({ status: 201, after });
    for (let index = 0; index < processes; index++) await on().add('first');
    await waitFor('one of each process', () => browser.received.length === processes);
    // The next ones wait for those, which are not answered yet.
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push(await on().add(`soon over ${index}`));
    await on().call('POST', '/tasks/acknowledge', { ids });
    release();
    await on().add('last');
    await browser.next('the last', titled('last'));
    expect(titles(browser).filter((title) => title !== 'first')).toEqual(['last']);
  });

  it('are tried again when the push service says so, and a device is gone when it is', async ({ skip }) => {
    begin(skip);
    const busy = await on().subscribe();
    const [gone, unknown] = [await on().subscribe(), await on().subscribe()];
    busy.answers.push({ status: 429, headers: { 'retry-after': '1' } });
    gone.answers.push({ status: 410 });
    unknown.answers.push({ status: 404 });
    await on().add('disk full');
    await waitFor('the second attempt', () => titles(busy).length === 2);
    expect(titles(busy)).toEqual(['disk full', 'disk full']);
    await waitFor('the device to be gone', async () => {
      const { body } = await on().call('GET', '/push');
      const { devices } = body['push'] as { devices: { id: string }[] };
      return devices.length === 1 && devices[0]?.id === busy.id;
    });
    await on().add('another');
    await busy.next('the next', titled('another'));
    expect([titles(gone), titles(unknown)]).toEqual([['disk full'], ['disk full']]);
  });

  it('go by the rules, and a test leaves whatever they are', async ({ skip }) => {
    begin(skip);
    const browser = await on().subscribe();
    await rules({ priorities: ['low', 'normal'], tags: ['ops', 'nas'] });
    await on().add('too high', { tags: ['ops'] });
    await on().add('no tag', { priority: 'low' });
    await on().add('right', { priority: 'low', tags: ['x', 'nas'] });
    const { headers } = await browser.next('the push', titled('right'));
    expect(headers['urgency']).toBe('low');
    expect(titles(browser)).toEqual(['right']);
    expect((await on().call('POST', `/push/devices/${browser.id}/test`)).status).toBe(202);
    const { message } = await browser.next('the test', (one) => one.notification?.tag === 'test');
    expect(message.notification?.data).toEqual({ kind: 'test' });
  });

  it('say only how many are new where contents are withheld', async ({ skip }) => {
    begin(skip);
    const browser = await on().subscribe();
    await rules({ withhold: true });
    const ids = [await on().add('secret one'), await on().add('secret two')];
    const { message } = await browser.next('two', titled('2 new tasks'));
    expect(message.notification).toMatchObject({ tag: 'summary', data: { kind: 'summary' } });
    await on().call('POST', '/tasks/acknowledge', { ids });
    const { message: over } = await browser.next('what closes it', ({ summary }) => summary === true);
    expect(over.app_badge).toBe(0);
    expect(JSON.stringify(browser.received)).not.toContain('secret');
  });

  it('are held in quiet hours but for what may pass, and come as one summary of what is left', async ({
    skip,
  }) => {
    begin(skip);
    const browser = await on().subscribe();
    await rules({ priorities: ['high', 'normal'], quiet: quietNow(['high']) });
    const over = await on().add('soon over', { priority: 'normal' });
    for (const content of ['one', 'two', 'three']) await on().add(content, { priority: 'normal' });
    await on().add('passes');
    await browser.next('what may pass', titled('passes'));
    await on().call('DELETE', `/tasks/${over}`);
    await stage?.restart();
    await rules({ priorities: ['high', 'normal'] });
    const { message } = await browser.next('the summary', titled('3 new tasks'));
    expect(message.notification).toMatchObject({ tag: 'summary', body: 'three\ntwo\none' });
    await on().add('the last');
    await browser.next('the last', titled('the last'));
    expect(titles(browser)).toEqual(['passes', '3 new tasks', 'the last']);
  });

  it('leave again, with a sound, at a step of an escalation, whatever is pushed else, unless it is quiet', async ({
    skip,
  }) => {
    begin(skip);
    const browser = await on().subscribe();
    await rules({ priorities: ['low'] });
    await on().inSession('POST', '/escalations', {
      name: 'x',
      intake: null,
      priorities: ['high', 'normal'],
      steps: [{ afterMinutes: 0, kind: 'push' }],
    });
    const id = await on().add('nobody looks');
    const { message } = await browser.next('the push', titled('nobody looks'));
    expect(message.notification).toMatchObject({ tag: `task:${id}` });
    expect(message.notification?.silent).toBeUndefined();
    await on().call('DELETE', `/tasks/${id}`);
    await browser.next('its close', ({ kind, ids }) => kind === 'close' && ids?.includes(id) === true);
    await rules({ priorities: ['low'], quiet: quietNow(['high']) });
    await on().add('sleeps', { priority: 'normal' });
    await on().add('passes');
    await browser.next('what may pass', titled('passes'));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(titles(browser).filter((title) => title !== undefined)).toEqual(['nobody looks', 'passes']);
  });

  it(
    'have their summary also where the program dies while it is sent',
    { timeout: 900_000 },
    async ({ skip }) => {
      begin(skip);
      const browser = await on().subscribe();
      await rules({ priorities: ['high', 'normal'], quiet: quietNow(['high']) });
      for (const content of ['one', 'two']) await on().add(content, { priority: 'normal' });
      // After it, both are held: what is changed is decided on in its order.
      await on().add('passes');
      await browser.next('what may pass', titled('passes'));
      browser.answers.push({ status: 201, after: new Promise<void>(() => {}) });
      await rules({ priorities: ['high', 'normal'] });
      await browser.next('the summary', titled('2 new tasks'));
      await stage?.restart();
      await waitFor('it once more', () => browser.received.length >= 3);
      expect(titles(browser)).toEqual(['passes', '2 new tasks', '2 new tasks']);
      await on().add('the last');
      await browser.next('the last', titled('the last'));
      expect(titles(browser)).toEqual(['passes', '2 new tasks', '2 new tasks', 'the last']);
    },
  );

  it('have no summary when nothing is left of what was held', async ({ skip }) => {
    begin(skip);
    const browser = await on().subscribe();
    await rules({ doNotDisturbUntil: new Date(Date.now() + 3_600_000).toISOString() });
    const ids = [await on().add('one'), await on().add('two')];
    await on().call('POST', '/tasks/acknowledge', { ids });
    await rules({});
    await on().add('the last');
    await browser.next('the last', titled('the last'));
    expect(titles(browser)).toEqual(['the last']);
  });
});
