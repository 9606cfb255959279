import { describe, expect, test, vi } from 'vitest';
import { startWorker } from '../../test/worker.ts';

const INBOX = 'https://q.example/inbox';

/** As the server pushes a task. */
function aPush(id: string, fields: object = {}) {
  return {
    web_push: 8030,
    notification: {
      title: 'Backup failed',
      body: 'on db-2',
      navigate: `https://elsewhere.example/inbox?task=${id}`,
      tag: `task:${id}`,
      actions: [
        { action: 'acknowledge', title: 'Acknowledge', navigate: 'https://elsewhere.example/' },
        { action: 'pin', title: 'Pin', navigate: 'https://elsewhere.example/' },
      ],
      data: { kind: 'task', id },
      ...fields,
    },
    app_badge: 3,
  };
}

describe('a push', () => {
  test('is one notification of its task, with both actions; a repeat replaces it, and the badge counts', async () => {
    const worker = startWorker();
    await worker.push(aPush('task_1'));
    await worker.push(aPush('task_2'));
    await worker.push(aPush('task_1', { title: 'Backup failed ×2' }));
    expect(worker.shown().map(({ title }) => title)).toEqual(['Backup failed', 'Backup failed ×2']);
    expect(worker.shown()[1]).toMatchObject({
      tag: 'task:task_1',
      body: 'on db-2',
      silent: false,
      actions: [
        { action: 'acknowledge', title: 'Acknowledge' },
        { action: 'pin', title: 'Pin' },
      ],
      // Of this origin, whatever address the server has for itself.
      data: { kind: 'task', id: 'task_1', path: '/inbox?task=task_1' },
    });
    expect(worker.done).toEqual(['badge 3', 'badge 3', 'badge 3']);
  });

  test.each([
    ['in focus, which shows the list', [{ url: INBOX, focused: true, answer: true }], 0],
    ['in focus, which shows something else', [{ url: INBOX, focused: true, answer: false }], 1],
    ['in the background', [{ url: INBOX, answer: true }], 1],
    ['beside another window that has the focus', [{ url: INBOX, visible: true, answer: true }], 1],
  ])('next to a tab %s', async (_, tabs, count) => {
    const worker = startWorker(tabs);
    await worker.push(aPush('task_1'));
    expect(worker.shown()).toHaveLength(count);
    expect(worker.done).toContain('badge 3');
  });

  test('is shown over the list as well, where the browser demands it or the list does not have it', async () => {
    const tabs = [{ url: INBOX, focused: true, answer: true }];
    const safari = startWorker(tabs, 'Version/17.4 Safari/605 AppleWebKit/605');
    await safari.push(aPush('task_1'));
    const chrome = startWorker(tabs);
    await chrome.push(aPush('x', { tag: 'summary', data: { kind: 'summary' } }));
    expect(chrome.shown()).toEqual([]);
    await chrome.push(aPush('x', { tag: 'test', data: { kind: 'test' } }));
    expect([safari.shown().length, chrome.shown().length]).toEqual([1, 1]);
  });

  test('closes what was dealt with elsewhere, nothing else, and takes the badge away', async () => {
    const worker = startWorker();
    for (const id of ['task_1', 'task_2', 'task_3']) await worker.push(aPush(id));
    await worker.push({ kind: 'close', ids: ['task_1', 'task_3', 'task_unknown'], app_badge: 0 });
    expect(worker.shown().map(({ data }) => data?.id)).toEqual(['task_2']);
    expect(worker.done.at(-1)).toBe('no badge');
  });

  test('is heard again when it comes again, but for a quiet repeat', async () => {
    const worker = startWorker();
    await worker.push(aPush('task_1', { silent: true }));
    await worker.push(aPush('task_2'));
    await worker.push('no json');
    expect(worker.shown().map(({ silent, renotify }) => [silent, renotify])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  });

  test('closes the summary when it is said to', async () => {
    const worker = startWorker();
    await worker.push(aPush('task_1'));
    await worker.push(aPush('', { tag: 'summary', data: { kind: 'summary' } }));
    await worker.push({ kind: 'close', ids: [], app_badge: 1 });
    expect(worker.shown()).toHaveLength(2);
    await worker.push({ kind: 'close', ids: [], summary: true, app_badge: 1 });
    expect(worker.shown().map(({ data }) => data?.kind)).toEqual(['task']);
  });

  test.each(['', 'no json', '{"web_push":8030}', '[]', 'null'])(
    'of %j is told all the same, in words of our own',
    async (payload) => {
      const worker = startWorker();
      await worker.push(payload);
      expect(worker.shown()).toMatchObject([
        { title: 'Qinbox', body: 'There is something new in the inbox.', data: { path: '/inbox' } },
      ]);
    },
  );
});

describe('a press on a notification', () => {
  const notification = { data: { kind: 'task', id: 'task_1', path: '/inbox?task=task_1' } };

  test.each([
    [
      'opens the task where no tab has the inbox',
      [{ url: 'https://q.example/admin' }],
      ['open /inbox?task=task_1'],
    ],
    [
      'goes to the tab that has the inbox, which opens the task',
      [{ url: 'https://q.example/' }, { url: `${INBOX}?priority=high`, answer: true }],
      [
        `focus ${INBOX}?priority=high`,
        `ask ${INBOX}?priority=high {"kind":"open","path":"/inbox?task=task_1"}`,
      ],
    ],
  ])('%s', async (_, tabs, expected) => {
    const worker = startWorker(tabs);
    await worker.press(notification);
    expect(worker.done).toEqual(['close', ...expected]);
  });

  test('loads the task in a tab that does not answer', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 500 });
    const worker = startWorker([{ url: INBOX }]);
    await worker.press(notification);
    expect(worker.done.at(-1)).toBe('navigate /inbox?task=task_1');
    vi.useRealTimers();
  });

  test('of a tab’s own kind, without any data, goes to the inbox', async () => {
    const worker = startWorker([{ url: INBOX }]);
    await worker.press({});
    expect(worker.done).toEqual(['close', `focus ${INBOX}`]);
  });

  test.each(['acknowledge', 'pin'])(
    'on %s is stored for a page, and a page that is signed in does it',
    async (action) => {
      const worker = startWorker([
        { url: 'https://q.example/', answer: false },
        { url: INBOX, answer: true },
      ]);
      await worker.press(notification, action);
      expect(worker.stored).toMatchObject([{ action, id: 'task_1' }]);
      expect(worker.done).toContain(`ask ${INBOX} {"kind":"actions"}`);
      expect(worker.done.join()).not.toContain('open');
    },
  );

  test.each([
    ['there is none', []],
    ['none is signed in', [{ url: INBOX, answer: false }]],
  ])('on an action opens the inbox, which does it, where %s', async (_, tabs) => {
    const worker = startWorker(tabs);
    await worker.press(notification, 'acknowledge');
    expect(worker.stored).toHaveLength(1);
    expect(worker.done.at(-1)).toBe('open /inbox');
  });
});

describe('a subscription that the browser has ended', () => {
  test('is made anew with the same key, and the pages tell the server', async () => {
    const worker = startWorker([{ url: INBOX, answer: true }]);
    const options = { userVisibleOnly: true, applicationServerKey: 'KEY' };
    await worker.changeSubscription({ oldSubscription: { options }, newSubscription: null });
    expect(worker.done).toEqual([
      `subscribe ${JSON.stringify(options)}`,
      `ask ${INBOX} {"kind":"subscription"}`,
    ]);
  });
});
