import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeSocket } from '../../test/fake-socket.ts';
import { removePushBrowser, stubPushBrowser } from '../../test/push.ts';
import { open } from '../../test/screen.tsx';
import { aTask } from '../../test/tasks.ts';
import { FakeServer } from '../../test/fake-server.ts';
import { turnOnPush } from '../lib/push/device.ts';
import { setPreferences } from '../lib/preferences.ts';

afterEach(() => setPreferences({ notifications: false, sound: false }));

const shown: [string, NotificationOptions][] = [];
class FakeNotification extends EventTarget {
  static permission = 'granted';
  constructor(title: string, options: NotificationOptions) {
    super();
    shown.push([title, options]);
  }
}

async function arrive(...priorities: ('high' | 'normal')[]) {
  await waitFor(() => FakeSocket.latest);
  act(() => FakeSocket.latest.hello());
  for (const priority of priorities) {
    const task = aTask({ id: `task_${priority}`, priority, content: `A ${priority} one\nand more` });
    act(() => FakeSocket.latest.say({ type: 'task.created', task, version: 1 }));
  }
}

test.each([
  ['hidden and switched on: of the high one alone', { hidden: true, on: true, granted: 'granted' }, 1],
  ['seen', { hidden: false, on: true, granted: 'granted' }, 0],
  ['not switched on, as it is at first', { hidden: true, on: false, granted: 'granted' }, 0],
  ['not allowed', { hidden: true, on: true, granted: 'denied' }, 0],
])('a tab that is %s', async (_, { hidden, on, granted }, count) => {
  shown.length = 0;
  vi.stubGlobal('Notification', FakeNotification);
  FakeNotification.permission = granted;
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  setPreferences({ notifications: on });
  open('/admin');
  await screen.findByRole('heading', { name: 'Settings' });
  await arrive('normal', 'high');
  expect(shown).toHaveLength(count);
  if (count === 1)
    expect(shown[0]).toEqual([
      'A high one',
      expect.objectContaining({ tag: 'task_high', body: 'and more', silent: true }),
    ]);
});

test('a first line that is longer than a title is below it, too, cut between characters', async () => {
  shown.length = 0;
  vi.stubGlobal('Notification', FakeNotification);
  FakeNotification.permission = 'granted';
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  setPreferences({ notifications: true });
  open('/admin');
  await screen.findByRole('heading', { name: 'Settings' });
  await arrive();
  const content = `a${'🛟'.repeat(60)} see the log\nmore`;
  const task = aTask({ id: 'task_long', priority: 'high', content });
  act(() => FakeSocket.latest.say({ type: 'task.created', task, version: 1 }));
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown[0]).toEqual([`a${'🛟'.repeat(49)}…`, expect.objectContaining({ body: content })]);
});

test('a tab leaves it to push where that is on', async () => {
  shown.length = 0;
  stubPushBrowser({ permission: 'granted' });
  setPreferences({ notifications: true });
  const { server, unmount } = open('/admin');
  await turnOnPush();
  unmount();
  vi.stubGlobal('Notification', FakeNotification);
  FakeNotification.permission = 'granted';
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  open('/admin', { server, reopened: true });
  await screen.findByRole('heading', { name: 'Settings' });
  await arrive('high');
  expect(shown).toEqual([]);
  removePushBrowser();
});

test('the title of the tab tells how many are of high priority', async () => {
  const server = new FakeServer();
  server.tasks = [aTask({ priority: 'high' }), aTask({ priority: 'high' }), aTask()];
  open('/inbox', { server });
  await waitFor(() => expect(document.title).toBe('(2) Inbox · Qinbox'));
});
