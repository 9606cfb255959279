import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { PushRules } from '#core/contract/index.ts';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { aPushDevice, removePushBrowser, stubPushBrowser, USUAL_RULES } from '../../../test/push.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { readPushEntry } from '../../lib/push/entry.ts';
import { queries } from '../../lib/queries.ts';
import { deviceName } from '../../lib/push/support.ts';
import { zonesWith } from '../../lib/time-zones.ts';
import { endsNextDay, nightly, SILENCES, withDay } from './model/push-rules.ts';

afterEach(removePushBrowser);

const card = async (name: string) => within(await screen.findByRole('region', { name }));
const saved = (server: FakeServer) => server.called('PUT /push/rules').map(({ body }) => body);

async function openSection(server = new FakeServer(), rules: Partial<PushRules> = {}) {
  server.push.rules = { ...USUAL_RULES, ...rules };
  const page = open('/admin/notifications', { server });
  await screen.findByRole('region', { name: 'What is pushed' });
  return page;
}

describe('push on this device', () => {
  test('is turned on by a click, is marked among the devices, and turned off', async () => {
    const browser = stubPushBrowser();
    const { server, user } = await openSection();
    server.push.devices = [aPushDevice()];
    const own = await card('Push on this device');
    expect(own.getByText('Off')).toBeTruthy();
    expect(browser.ask).not.toHaveBeenCalled();
    await user.click(own.getByRole('button', { name: 'Turn on' }));
    await own.findByRole('button', { name: 'Turn off' });
    expect(server.called('POST /push/devices').map(({ body }) => body)).toEqual([
      {
        endpoint: browser.endpoint(),
        keys: { p256dh: 'p256dh 1', auth: 'auth 1' },
        name: deviceName(),
      },
    ]);
    const rows = within(await screen.findByRole('list', { name: 'Devices that get pushes' }));
    await waitFor(() => expect(rows.getAllByRole('listitem')).toHaveLength(2));
    const [other, mine] = rows.getAllByRole('listitem').map((row) => row.textContent);
    expect([other?.includes('This device'), mine?.includes('This device')]).toEqual([false, true]);
    // Nobody is told twice.
    const tab = await card('In an open tab');
    expect(tab.getByRole('checkbox', { name: /high priority/ })).toHaveProperty('disabled', true);
    await expectAccessible();

    await user.click(own.getByRole('button', { name: 'Turn off' }));
    await own.findByText('Off');
    await waitFor(() => expect(server.push.devices.map(({ id }) => id)).toEqual(['push_1']));
    expect([browser.endpoint(), readPushEntry()]).toEqual([null, null]);
  });

  test('is not on when the server takes no more devices, and says why', async () => {
    const browser = stubPushBrowser();
    const server = new FakeServer();
    server.replies.set('POST /push/devices', () => refusal(409, 'CONFLICT', 'There are 20 devices already.'));
    const { user } = await openSection(server);
    const own = await card('Push on this device');
    await user.click(own.getByRole('button', { name: 'Turn on' }));
    expect((await own.findByRole('alert')).textContent).toContain('There are 20 devices already.');
    expect([browser.endpoint(), readPushEntry(), own.getByText('Off') !== null]).toEqual([null, null, true]);
  });

  test.each([
    ['is asked and says no', { answer: 'denied' }, 'did not allow notifications'],
    ['cannot reach its push service', { broken: true }, 'could not reach its push service'],
  ] as const)('says so where the browser %s', async (_, options, text) => {
    stubPushBrowser(options);
    const { user, server } = await openSection();
    const own = await card('Push on this device');
    await user.click(own.getByRole('button', { name: 'Turn on' }));
    expect((await own.findByRole('alert')).textContent).toContain(text);
    expect(server.called('POST /push/devices')).toEqual([]);
  });

  test.each([
    ['an address without https', () => vi.stubGlobal('isSecureContext', false), 'Not at this address'],
    ['a refusal of before', () => stubPushBrowser({ permission: 'denied' }), 'Not allowed by the browser'],
    ['a browser without push', () => vi.stubGlobal('isSecureContext', true), 'Not in this browser'],
    [
      'an iPhone outside the Home Screen',
      () => {
        vi.stubGlobal('isSecureContext', true);
        Object.assign(navigator, { standalone: false });
        Object.defineProperty(navigator, 'maxTouchPoints', { configurable: true, value: 5 });
      },
      'On the Home Screen only',
    ],
  ])('with %s says what to do, and has no button', async (_, prepare, title) => {
    prepare();
    await openSection();
    const own = await card('Push on this device');
    expect(own.getByText(title)).toBeTruthy();
    expect(own.queryByRole('button')).toBeNull();
    await expectAccessible();
    Reflect.deleteProperty(navigator, 'standalone');
    Reflect.deleteProperty(navigator, 'maxTouchPoints');
  });

  test('asks a guest to sign in first, and asks the server nothing', async () => {
    stubPushBrowser();
    const { server, user } = open('/admin/notifications', { signedIn: false });
    const own = await card('Push on this device');
    await user.click(own.getByRole('button', { name: 'Sign In' }));
    await screen.findByRole('dialog', { name: 'Sign In to Qinbox' });
    expect(server.called('GET /push')).toEqual([]);
    expect(screen.queryByText('What is pushed')).toBeNull();
  });

  test.each([
    ['Mozilla/5.0 (Linux; Android 15) Chrome/156.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Version/19.0 Mobile/15E148 Safari/604.1', 'Safari on iPhone'],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/156.0 Safari/537.36 Edg/156.0', 'Edge on Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
    ['curl/8', 'Browser'],
  ])('names %s as %s', (agent, name) => {
    expect(deviceName(agent)).toBe(name);
  });
});

describe('the devices', () => {
  test('are tried and, after a question, revoked', async () => {
    const server = new FakeServer();
    server.push.devices = [aPushDevice(), aPushDevice({ id: 'push_2', name: 'Safari on iPhone' })];
    const { user } = await openSection(server);
    await user.click(await screen.findByRole('button', { name: 'Test Firefox on Android' }));
    await screen.findByText('A test is on its way to Firefox on Android.');
    expect(server.called('POST /push/devices/push_1/test')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Revoke Safari on iPhone' }));
    const question = await screen.findByRole('alertdialog', { name: 'Revoke Safari on iPhone' });
    await user.click(within(question).getByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull());
    expect(server.push.devices.map(({ id }) => id)).toEqual(['push_1']);
  });

  test('that were revoked elsewhere are off here as soon as the list says so', async () => {
    const browser = stubPushBrowser();
    const { server, user } = await openSection();
    const own = await card('Push on this device');
    await user.click(own.getByRole('button', { name: 'Turn on' }));
    await screen.findByText('This device');
    server.push.devices = [aPushDevice()];
    await queries.invalidateQueries();
    await own.findByText('Off');
    expect(browser.endpoint()).toBeNull();
  });

  test('say why a test did not go', async () => {
    const server = new FakeServer();
    server.push.devices = [aPushDevice()];
    server.replies.set('POST /push/devices/push_1/test', () => refusal(404, 'NOT_FOUND', 'No such device.'));
    const { user } = await openSection(server);
    await user.click(await screen.findByRole('button', { name: 'Test Firefox on Android' }));
    expect((await screen.findByRole('alert')).textContent).toContain('No such device.');
  });
});

describe('the rules', () => {
  test('are saved at once, each change with all the others', async () => {
    const { server, user } = await openSection();
    await user.click((await card('What is pushed')).getByRole('checkbox', { name: 'Normal' }));
    await screen.findByText('Saved');
    await user.click(screen.getByRole('checkbox', { name: 'Hide contents' }));
    const tags = screen.getByRole('textbox', { name: 'Tags' });
    await user.type(tags, 'ops, on call,ops{Enter}');
    await waitFor(() => expect(server.push.rules.tags).toEqual(['ops', 'on call']));
    expect(saved(server)).toEqual([
      { ...USUAL_RULES, priorities: ['high', 'normal'] },
      { ...USUAL_RULES, priorities: ['high', 'normal'], withhold: true },
      { ...USUAL_RULES, priorities: ['high', 'normal'], withhold: true, tags: ['ops', 'on call'] },
    ]);
    await user.clear(screen.getByRole('textbox', { name: 'Tags' }));
    await user.tab();
    await waitFor(() => expect(server.push.rules.tags).toBeNull());
    await expectAccessible();
  });

  test('take intakes, and all of them again when none is chosen', async () => {
    const server = new FakeServer();
    const body = { name: 'Prod alerts', adapter: 'webhook', verification: { scheme: 'none' } };
    await server.fetch('/api/v1/intakes', { method: 'POST', body: JSON.stringify(body) });
    const { user } = await openSection(server);
    const box = await screen.findByRole('checkbox', { name: 'Prod alerts' });
    await user.click(box);
    await waitFor(() => expect(server.push.rules.intakes).toHaveLength(1));
    await user.click(box);
    await waitFor(() => expect(server.push.rules.intakes).toBeNull());
  });

  test('that cannot be saved are as before, and say why', async () => {
    const server = new FakeServer();
    server.replies.set('PUT /push/rules', () => refusal(503, 'SERVICE_UNAVAILABLE', 'The store is away.'));
    const { user } = await openSection(server);
    const box = (await card('What is pushed')).getByRole('checkbox', { name: 'Low' });
    await user.click(box);
    const alert = await (await card('What is pushed')).findByRole('alert');
    expect(alert.textContent).toContain('The store is away.');
    expect(box).toHaveProperty('checked', false);
    expect(
      within(await screen.findByRole('region', { name: 'Quiet hours' })).queryByRole('alert'),
    ).toBeNull();
  });

  test('that are changed while they are being saved end as the last change says', async () => {
    const server = new FakeServer();
    const first = Promise.withResolvers<void>();
    server.replies.set('PUT /push/rules', async ({ body }) => {
      if (saved(server).length === 1) await first.promise;
      server.push.rules = body as unknown as PushRules;
      return { status: 200, body: { success: true, rules: body } };
    });
    const { user } = await openSection(server);
    const box = (name: string) => screen.getAllByRole('checkbox', { name })[0] as HTMLElement;
    for (const name of ['Normal', 'Low', 'High']) await user.click(box(name));
    first.resolve();
    await waitFor(() => expect(server.push.rules.priorities).toEqual(['normal', 'low']));
    // The one in the middle was overtaken before it could leave.
    expect(saved(server)).toHaveLength(2);
    expect(box('High')).toHaveProperty('checked', false);
  });

  test('cannot be loaded without a server, which is said with a way to try again', async () => {
    const server = new FakeServer();
    server.replies.set('GET /push', () => Promise.reject(new TypeError('no network')));
    const { user } = open('/admin/notifications', { server });
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to load what is pushed');
    server.replies.clear();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('region', { name: 'What is pushed' });
  });
});

describe('quiet hours', () => {
  test('begin with every night in the own zone, and come back as they were', async () => {
    const { server, user } = await openSection();
    const quiet = await card('Quiet hours');
    const all = quiet.getByRole('checkbox', { name: 'Push nothing in quiet hours' });
    await user.click(all);
    await waitFor(() => expect(server.push.rules.quiet).toEqual(nightly()));
    await user.click(quiet.getByRole('checkbox', { name: 'Saturday' }));
    await user.click(quiet.getByRole('checkbox', { name: 'High' }));
    await user.selectOptions(quiet.getByRole('combobox', { name: 'Time zone' }), 'Pacific/Apia');
    const expected = { ...nightly('Pacific/Apia'), days: [0, 1, 2, 3, 4, 5], pass: ['high'] };
    await waitFor(() => expect(server.push.rules.quiet).toEqual(expected));
    await user.click(all);
    await waitFor(() => expect(server.push.rules.quiet).toBeNull());
    await user.click(all);
    await waitFor(() => expect(server.push.rules.quiet).toEqual(expected));
    await expectAccessible();
  });

  test('have a length and a day, else nothing is saved', async () => {
    const { server, user } = await openSection(undefined, { quiet: { ...nightly('UTC'), days: [1] } });
    const quiet = await card('Quiet hours');
    const from = quiet.getByLabelText('From');
    await user.clear(from);
    await user.type(from, '07:00');
    await user.tab();
    expect((await quiet.findByRole('alert')).textContent).toBe('From and to are the same.');
    await user.click(quiet.getByRole('checkbox', { name: 'Monday' }));
    expect(quiet.getByText('Choose at least one day, or switch quiet hours off.')).toBeTruthy();
    expect(saved(server)).toEqual([]);
    await user.clear(from);
    await user.type(from, '01:30{Enter}');
    await waitFor(() => expect(server.push.rules.quiet?.from).toBe('01:30'));
    expect(quiet.queryByText('The next day')).toBeNull();
  });
});

describe('do not disturb', () => {
  test('is on for an hour, or until a time, and is turned off', async () => {
    const { server, user } = await openSection();
    const silence = await card('Do not disturb');
    const before = Date.now();
    await user.click(silence.getByRole('button', { name: '1 hour' }));
    await silence.findByText(/^On until /);
    await waitFor(() => expect(server.push.rules.doNotDisturbUntil).not.toBeNull());
    const until = Date.parse(server.push.rules.doNotDisturbUntil ?? '');
    expect(Math.abs(until - before - 3_600_000)).toBeLessThan(60_000);
    await user.click(silence.getByRole('button', { name: 'Turn off' }));
    await waitFor(() => expect(server.push.rules.doNotDisturbUntil).toBeNull());

    await user.click(silence.getByRole('button', { name: 'Until a time…' }));
    const field = silence.getByLabelText('Until');
    await user.type(field, '2020-01-01T08:00');
    await user.click(silence.getByRole('button', { name: 'Set' }));
    expect((await silence.findByRole('alert')).textContent).toBe('Choose a time in the future.');
    await user.clear(field);
    await user.type(field, '2099-01-01T08:00');
    await user.click(silence.getByRole('button', { name: 'Set' }));
    expect((await silence.findByRole('alert')).textContent).toBe('Choose a time within a year.');
    const inAWeek = new Date(Date.now() + 7 * 24 * 3_600_000);
    const text = `${inAWeek.toISOString().slice(0, 10)}T08:00`;
    await user.clear(field);
    await user.type(field, text);
    await user.click(silence.getByRole('button', { name: 'Set' }));
    await waitFor(() => expect(server.push.rules.doNotDisturbUntil).toBe(new Date(text).toISOString()));
  });

  test('that is over is off', async () => {
    await openSection(undefined, { doNotDisturbUntil: '2020-01-01T08:00:00.000Z' });
    const silence = await card('Do not disturb');
    expect(silence.getByText(/^Off\./)).toBeTruthy();
    expect(silence.queryByRole('button', { name: 'Turn off' })).toBeNull();
  });

  test('until tomorrow ends at eight, also late in the evening', () => {
    for (const text of ['2026-11-23T00:10', '2026-11-23T23:50']) {
      const now = new Date(text).getTime();
      const ends = SILENCES.map(({ until }) => until(now));
      expect(ends).toEqual([now + 3_600_000, new Date('2026-11-24T08:00').getTime()]);
    }
  });
});

test('days are in the order of the week, and hours may end on the next day', () => {
  expect(withDay([5, 6], 0, true)).toEqual([0, 5, 6]);
  expect(withDay([0, 5, 6], 5, false)).toEqual([0, 6]);
  expect([endsNextDay({ from: '22:00', to: '07:00' }), endsNextDay({ from: '12:00', to: '13:00' })]).toEqual([
    true,
    false,
  ]);
  expect(zonesWith('Mars/Base')).toEqual(expect.arrayContaining(['Europe/Berlin', 'Mars/Base', 'UTC']));
});
