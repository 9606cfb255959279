// Push in the whole Chromium on the real program: what the server sends is taken and decrypted by a push
// service of the test's own, the browser's developer tools bring it to the real service worker, and a page
// does what is pressed. Only the subscription is not the browser's: that would need its maker's push service.
import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { DEFAULT_RULES } from '#core/domain/push.ts';
import {
  buildOnce,
  createKey,
  createSignInLink,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import {
  startPushService,
  type Pushed,
  type PushService,
  type TestBrowser,
} from '#test/push/push-service.ts';
import { hasChromium, launchProfile, rowOf, waitUntilLive, waitUntilWhole, WHY_NOT } from './browser.ts';
import { apiClient } from './push.ts';

/** In every page: this subscription, which outlives it. */
function subscribing({ endpoint, keys }: TestBrowser): string {
  const subscription = JSON.stringify({ endpoint, keys });
  return `{
    const bytesOf = (text) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.codePointAt(0));
    const made = (key) => ({
      ...${subscription},
      options: { applicationServerKey: bytesOf(key).buffer },
      toJSON: () => (${subscription}),
      unsubscribe: async () => (localStorage.removeItem('test.key'), true),
    });
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      localStorage.setItem('test.key', applicationServerKey);
      return made(applicationServerKey);
    };
    PushManager.prototype.getSubscription = async () => {
      const key = localStorage.getItem('test.key');
      return key === null ? null : made(key);
    };
  }`;
}

/** In the worker: counts the events that it has dealt with. */
const COUNT = `{
  const { waitUntil } = ExtendableEvent.prototype;
  self.finished = 0;
  ExtendableEvent.prototype.waitUntil = function (work) {
    work.finally(() => self.finished++);
    return waitUntil.call(this, work);
  };
}`;

interface Shown {
  title: string;
  tag: string;
  body: string;
  actions: string[];
}

describe('push in a browser', () => {
  const folder = temporaryFolder('web-push');
  let program: Program;
  let service: PushService;
  /** As the push service knows it. */
  let subscriber: TestBrowser;
  let key: string;
  let profile: { path: string; remove: () => void };
  let context: BrowserContext;
  let page: Page;
  let tools: CDPSession;
  let registrationId: string;

  beforeAll(async () => {
    if (!hasChromium) return;
    buildOnce();
    key = createKey(folder.path);
    service = await startPushService();
    program = await startProgram({
      dataDir: folder.path,
      env: {
        NODE_EXTRA_CA_CERTS: service.certificate,
        OUTGOING_ALLOW: '127.0.0.1',
        // Waiting asks often.
        RATE_LIMIT_PER_MINUTE: '100000',
        RATE_LIMIT_PER_HOUR: '100000',
      },
    });
  });
  beforeEach(async ({ skip }) => {
    skip(!hasChromium, WHY_NOT);
    profile = temporaryFolder('web-push-profile');
    // Private contexts have no push.
    [context, page] = await launchProfile(profile.path);
    await context.grantPermissions(['notifications'], { origin: program.url });
    subscriber = service.browser();
    await context.addInitScript(subscribing(subscriber));
    await page.goto(createSignInLink(folder.path, program.url));
    await waitUntilLive(page);
    await waitUntilWhole(page);
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    ({ tools, registrationId } = await workerOf(page));
    await (context.serviceWorkers() as [Worker])[0].evaluate(COUNT);
  });
  afterEach(async () => {
    for (const { id } of (await devices()) ?? []) await call('DELETE', `/push/devices/${id}`);
    const ids = (await tasks()).map((task) => task.id);
    if (ids.length > 0) await call('POST', '/tasks/acknowledge', { ids });
    await call('PUT', '/push/rules', DEFAULT_RULES);
    await context?.close();
    profile?.remove();
  });
  afterAll(async () => {
    await program?.stop();
    await service?.close();
    folder.remove();
  });

  const { call, tasks } = apiClient(() => ({ url: program.url, key }));
  const push = async () =>
    (await call('GET', '/push'))['push'] as { devices: { id: string; name: string }[]; rules: object };
  const devices = async () => (await push()).devices;
  const card = (name: string) => page.getByRole('region', { name, exact: true });

  async function workerOf(of: Page) {
    const session = await context.newCDPSession(of);
    const id = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [found] }) => {
        if (found !== undefined) resolve(found.registrationId);
      });
    });
    await session.send('ServiceWorker.enable');
    return { tools: session, registrationId: await id };
  }

  async function create(content: string, fields: object = {}): Promise<Task> {
    const { task } = await call('POST', '/tasks', { content, priority: 'high', ...fields });
    return task as Task;
  }

  /**
   * Brings what the push service got, or gets, to the worker. Resolves when that has dealt with it: a browser
   * that is asked for its notifications while it draws one forgets that.
   */
  async function bring(what: string, matches: (message: Pushed) => boolean): Promise<void> {
    const { message } = await subscriber.next(what, matches);
    const [worker] = context.serviceWorkers() as [Worker];
    const finished = () => worker.evaluate<number>('self.finished');
    const before = await finished();
    const data = JSON.stringify(message);
    await tools.send('ServiceWorker.deliverPushMessage', { origin: program.url, registrationId, data });
    await waitFor('the worker', async () => (await finished()) > before);
  }
  const bringTask = (title: string, isAgain = false) =>
    bring(
      title,
      ({ notification }) => notification?.title === title && (notification.silent ?? false) === isAgain,
    );
  const shown = () =>
    page.evaluate<Shown[]>(`navigator.serviceWorker.ready
      .then((registration) => registration.getNotifications())
      .then((all) => all.map(({ title, tag, body, actions }) =>
        ({ title, tag, body, actions: actions.map(({ action }) => action) })))`);
  async function expectShown(...titles: string[]): Promise<void> {
    const now = async () => (await shown()).map(({ title }) => title).toSorted();
    const wanted = JSON.stringify(titles.toSorted());
    await waitFor('the notifications', async () => JSON.stringify(await now()) === wanted).catch(
      () => undefined,
    );
    expect(await now()).toEqual(titles.toSorted());
  }
  /** No test has a hand for what the system shows: the worker is told of the press. */
  async function press(title: string, action: string): Promise<void> {
    const [worker] = context.serviceWorkers() as [Worker];
    await worker.evaluate(
      `self.registration.getNotifications().then((all) => {
        const notification = all.find((each) => each.title === ${JSON.stringify(title)});
        self.dispatchEvent(new NotificationEvent('notificationclick', { notification, action: '${action}' }));
      })`,
    );
  }
  async function turnOn(): Promise<void> {
    await page.goto(`${program.url}/admin/notifications`);
    await card('Push on this device').getByRole('button', { name: 'Turn on' }).click();
    await card('Push on this device').getByRole('button', { name: 'Turn off' }).waitFor();
  }

  test('is turned on, listed, tried and turned off; its rules outlive the page', async () => {
    await turnOn();
    const list = page.getByRole('list', { name: 'Devices that get pushes' });
    await list.getByText('This device').waitFor();
    expect((await devices()).map(({ name }) => name)).toEqual(['Chrome on Linux']);
    await list.getByRole('button', { name: 'Test Chrome on Linux' }).click();
    await page.getByText('A test is on its way to Chrome on Linux.').waitFor();
    await bringTask('Pushes reach this device');
    await expectShown('Pushes reach this device');

    await card('What is pushed').getByRole('checkbox', { name: 'Normal' }).press('Space');
    await card('Quiet hours').getByRole('checkbox', { name: 'Push nothing in quiet hours' }).press('Space');
    await card('Quiet hours').getByLabel('From').fill('21:30');
    await card('Quiet hours').getByLabel('From').press('Enter');
    await card('Do not disturb').getByRole('button', { name: '1 hour' }).click();
    await waitFor('the rules to be saved', async () => {
      const { rules } = await push();
      return (
        JSON.stringify(rules).includes('21:30') && !JSON.stringify(rules).includes('"doNotDisturbUntil":null')
      );
    });
    await page.reload();
    await card('Do not disturb')
      .getByText(/^On until /)
      .waitFor();
    expect(await card('Quiet hours').getByLabel('From').inputValue()).toBe('21:30');
    expect(await card('What is pushed').getByRole('checkbox', { name: 'Normal' }).isChecked()).toBe(true);
    await list.getByText('This device').waitFor();
    await card('Do not disturb').getByRole('button', { name: 'Turn off' }).click();

    await card('Push on this device').getByRole('button', { name: 'Turn off' }).click();
    await card('Push on this device').getByText('Off', { exact: true }).waitFor();
    await waitFor('the device to be gone', async () => (await devices()).length === 0);
  });

  test('is offered by the first steps, and on once they say so', async () => {
    await page.goto(`${program.url}/inbox`);
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('button', { name: 'Turn on' }).click();
    await steps.getByText('On in this browser.').waitFor();
    expect(await devices()).toHaveLength(1);
    await create('Backup failed');
    await bringTask('Backup failed');
  });

  test('shows one notification for a task, and closes it when it is over elsewhere', async () => {
    await turnOn();
    const again = { dedupeKey: 'backup' };
    const one = await create('Backup failed', again);
    const two = await create('Disk full');
    for (const { content } of [one, two]) await bringTask(content);
    await expectShown('Backup failed', 'Disk full');
    await create('Backup failed', again);
    await bringTask('Backup failed', true);
    await expectShown('Backup failed', 'Disk full');
    const now = await shown();
    expect(now.map(({ tag, actions }) => [tag, actions]).toSorted()).toEqual(
      [one, two].map(({ id }) => [`task:${id}`, ['acknowledge', 'pin']]).toSorted(),
    );
    expect(now.map(({ body }) => body).join()).toContain('2 times');
    await call('POST', '/tasks/acknowledge', { ids: [one.id] });
    await bring('the end of it', ({ ids }) => ids?.includes(one.id) === true);
    await expectShown('Disk full');
  });

  test('is silent for who looks at the list, and speaks once they look away', async () => {
    await turnOn();
    await page.goto(`${program.url}/inbox`);
    await waitUntilLive(page);
    await page.bringToFront();
    await create('In view');
    await rowOf(page, 'In view').waitFor();
    await bringTask('In view');
    await expectShown();
    // Without loading again: where the page is now decides, not where it began.
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await create('Out of view');
    await bringTask('Out of view');
    await expectShown('Out of view');
  });

  test('a press on Acknowledge or Pin is done by the open page, with the session, and can be undone', async () => {
    await turnOn();
    const [one, two] = [await create('To be acknowledged'), await create('To be pinned')];
    for (const { content } of [one, two]) await bringTask(content);
    await expectShown('To be acknowledged', 'To be pinned');
    await press('To be pinned', 'pin');
    await waitFor('it to be pinned', async () => (await tasks()).some(({ pinned }) => pinned));
    await press('To be acknowledged', 'acknowledge');
    await waitFor('it to be gone', async () => (await tasks()).length === 1);
    await expectShown();
    await page.getByRole('dialog', { name: 'Acknowledged' }).getByRole('button', { name: /Undo/ }).click();
    await waitFor('it to be back', async () => (await tasks()).length === 2);
  });

  test('a press on Acknowledge or Pin is done where no page is open, and opens none', async () => {
    await turnOn();
    const [one, two] = [await create('Acknowledged unseen'), await create('Pinned unseen')];
    for (const { content } of [one, two]) await bringTask(content);
    await expectShown('Acknowledged unseen', 'Pinned unseen');
    await page.goto('about:blank');
    await press('Pinned unseen', 'pin');
    await waitFor('it to be pinned', async () => (await tasks()).some(({ pinned }) => pinned));
    await press('Acknowledged unseen', 'acknowledge');
    await waitFor('it to be gone', async () => (await tasks()).length === 1);
    expect(context.pages()).toEqual([page]);
    // Nothing is left for the next page to do.
    await page.goto(`${program.url}/inbox`);
    await waitUntilLive(page);
    await expectShown();
    expect((await tasks()).map(({ content, pinned }) => [content, pinned])).toEqual([
      ['Pinned unseen', true],
    ]);
  });

  test('a press on the notification opens the task in the tab that has the inbox', async () => {
    await turnOn();
    const task = await create('Look at me');
    await page.goto(`${program.url}/inbox?priority=high`);
    await waitUntilWhole(page);
    await page.evaluate('globalThis.sameDocument = true');
    await bringTask('Look at me');
    await expectShown('Look at me');
    await press('Look at me', '');
    await page.getByLabel('Details').getByRole('heading', { name: 'Look at me' }).waitFor();
    expect([new URL(page.url()).search, await page.evaluate('globalThis.sameDocument')]).toEqual([
      `?task=${task.id}`,
      true,
    ]);
    // As where notifications have no buttons: both actions are a tap away; the address does nothing itself.
    await page.goto(`${program.url}/inbox?task=${task.id}&do=acknowledge`);
    await page.getByLabel('Details').getByRole('button', { name: 'Acknowledge' }).waitFor();
    expect(await tasks()).toHaveLength(1);
  });

  test('a page closes what is over, and a sign-out ends push at the server and here', async () => {
    await turnOn();
    const [one, two] = [await create('Over by then'), await create('Still there')];
    for (const { content } of [one, two]) await bringTask(content);
    await expectShown('Over by then', 'Still there');
    await call('POST', '/tasks/acknowledge', { ids: [one.id] });
    await page.reload();
    await expectShown('Still there');
    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Focus on today' }).waitFor();
    await waitFor('the device to be gone', async () => (await devices()).length === 0);
    await expectShown();
    expect(
      await page.evaluate("localStorage.getItem('qinbox.push') ?? localStorage.getItem('test.key')"),
    ).toBeNull();
  });
});
