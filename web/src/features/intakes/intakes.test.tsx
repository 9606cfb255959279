import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { aDelivery, anIntake } from '../../../test/intakes.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';

let server: FakeServer;
beforeEach(() => {
  server = new FakeServer();
});

const invalid = (field: string, message: string) => ({
  status: 400,
  body: {
    success: false,
    error: `${field}: ${message}`,
    code: 'VALIDATION_ERROR',
    requestId: 'r1',
    details: [{ field, message }],
  },
});

describe('the list of intakes', () => {
  test('are listed with sender, address, last use, verdict, pause, and what is unverified', async () => {
    server.intakes.intakes = [
      anIntake({ name: 'Our repositories', paused: true }),
      anIntake({
        name: 'A script',
        preset: 'generic',
        verification: { scheme: 'none', options: {}, secrets: [] },
      }),
    ];
    server.intakes.deliveries = [aDelivery({ verdict: 'refused' })];
    const { user } = open('/admin/intakes', { server });
    const list = await screen.findByRole('list', { name: 'Intakes' });
    const [first, second] = within(list).getAllByRole('listitem');
    expect(first?.textContent).toContain('Our repositories');
    await waitFor(() =>
      expect(first?.textContent).toMatch(/GitHub.*Paused.*hooks\/token.*Never used.*Refused/),
    );
    expect(second?.textContent).toContain('Unverified');
    expect(first?.textContent).not.toContain('Unverified');
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(screen.getByRole('button', { name: 'Copy address of A script' }));
    expect(copied).toHaveBeenCalledWith(server.intakes.intakes[1]?.address);
    await expectAccessible();
  });

  test('say why, instead of an address, when their adapter is switched off or the secret of the server was changed', async () => {
    server.intakes.intakes = [
      anIntake({ name: 'Printer', adapter: 'smtp-of-old', preset: null, address: '' }),
      anIntake({ name: 'Repositories', address: '' }),
    ];
    open('/admin/intakes', { server });
    const list = await screen.findByRole('list', { name: 'Intakes' });
    await waitFor(() => expect(list.textContent).toContain('“smtp-of-old” is switched off'));
    expect(list.textContent).toContain('cannot be shown; it still works');
    expect(within(list).queryByRole('button', { name: /Copy address/ })).toBeNull();
    await expectAccessible();
  });

  test('teach in a sentence while there is none, and lead to the senders', async () => {
    const { user } = open('/admin/intakes', { server });
    await screen.findByText(/Choose a sender, paste the address there/);
    await user.click(screen.getByRole('link', { name: 'New intake' }));
    expect(await screen.findByRole('heading', { name: 'New intake' })).toBeTruthy();
  });

  test('are found by name, sender and address where there are many, and Enter opens the first', async () => {
    server.intakes.intakes = Array.from({ length: 10 }, (_, index) => anIntake({ name: `backup ${index}` }));
    const few = open('/admin/intakes', { server });
    await screen.findByRole('list', { name: 'Intakes' });
    expect(screen.queryByRole('searchbox')).toBeNull();
    few.unmount();

    server.intakes.intakes.push(anIntake({ id: 'in_wanted', name: 'Grafana, prod', preset: 'generic' }));
    const { user } = open('/admin/intakes', { server });
    await screen.findByRole('searchbox', { name: 'Find an intake' });
    const shown = () => screen.queryAllByRole('link', { name: /backup|Grafana/ }).map((a) => a.textContent);
    expect(shown()).toHaveLength(11);
    await user.keyboard('/PROD grafana');
    expect(shown()).toEqual(['Grafana, prod']);
    expect(screen.getByText('1 of 11')).toBeTruthy();
    await expectAccessible();
    await user.keyboard(' nowhere');
    expect(shown()).toEqual([]);
    expect(screen.getByText('None has “PROD grafana nowhere”.')).toBeTruthy();
    await user.clear(screen.getByRole('searchbox'));
    expect(shown()).toHaveLength(11);
    await user.keyboard('grafana{Enter}');
    await waitFor(() => expect(location.pathname).toBe('/admin/intakes/in_wanted'));
  });

  test.each([
    ['a guest', false, /^Sign in to give/],
    ['an API key', { apiKey: 'qi_1' }, /^An API key cannot manage intakes/],
  ])('%s is told who may have them, and nothing is asked for', async (_who, signedIn, text) => {
    open('/admin/intakes', { server, signedIn });
    const card = await screen.findByRole('main');
    expect(within(card).getByText(text)).toBeTruthy();
    expect(server.called('GET /intakes')).toEqual([]);
  });
});

describe('an address that only this machine can reach', () => {
  const advice = /^Senders on other machines cannot reach/;
  test.each([
    ['http://localhost:3000/hooks/token', 'url', 'PUBLIC_URL'],
    ['http://127.0.0.1:3000/hooks/token', 'url', 'PUBLIC_URL'],
    ['token@localhost', 'email', 'SMTP_DOMAIN'],
  ] as const)(
    '%s is said to be one, and what to set, in the list and on its page',
    async (address, kind, name) => {
      server.intakes.intakes = [anIntake({ id: 'in_x', address, addressKind: kind })];
      const { unmount } = open('/admin/intakes', { server });
      expect((await screen.findByText(advice)).textContent).toContain(name);
      await expectAccessible();
      unmount();
      open('/admin/intakes/in_x', { server });
      expect((await screen.findByText(advice)).textContent).toContain(`${name} set to`);
    },
  );

  test('is not said of one that others can reach', async () => {
    server.intakes.intakes = [anIntake({ address: 'https://q.example.com/hooks/token' })];
    open('/admin/intakes', { server });
    await screen.findByRole('list', { name: 'Intakes' });
    expect(screen.queryByText(advice)).toBeNull();
  });
});

describe('the search among the senders', () => {
  test.each([
    ['has the focus when they open', true],
    ['waits for a tap on touch', false],
  ])('%s', async (_what, hover) => {
    vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(hover: hover)' && hover }));
    const { user } = open('/admin/intakes', { server });
    await user.click(await screen.findByRole('link', { name: 'New intake' }));
    const field = await screen.findByRole('searchbox', { name: 'Search senders' });
    await waitFor(() => expect(document.activeElement === field).toBe(hover));
  });
});

describe('a new intake', () => {
  test('begins with the senders of every adapter, found by typing, known ones first; Enter takes the best', async () => {
    const { user } = open('/admin/intakes/new', { server });
    await screen.findByRole('heading', { name: 'E-mail' });
    const names = () => screen.getAllByRole('link').map((link) => link.textContent);
    expect(names().filter((name) => /^(?:E-mail|GitHub|Anything)/.test(name))).toEqual([
      expect.stringMatching(/^E-mail/),
      expect.stringMatching(/^GitHub/),
      expect.stringMatching(/^Anything else/),
    ]);
    await expectAccessible();
    await user.type(screen.getByRole('searchbox', { name: 'Search senders' }), 'git');
    expect(screen.queryByRole('link', { name: /Anything/ })).toBeNull();
    await user.keyboard('{Enter}');
    await screen.findByRole('heading', { name: 'New intake: GitHub' });
    expect(document.activeElement?.textContent).toBe('New intake: GitHub');
  });

  test('has the form of its adapter’s schemas, and sends what was filled in', async () => {
    const { user } = open('/admin/intakes/new?adapter=webhook&preset=github', { server });
    expect(await screen.findByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'GitHub');
    expect(screen.getByText(/Paste the address/)).toBeTruthy();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Verification' }), 'HMAC');
    await user.click(screen.getByRole('button', { name: 'Make one up' }));
    const secret = screen.getByLabelText<HTMLInputElement>('Secret').value;
    expect(secret).toMatch(/^[0-9a-f]{40}$/);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Written as' }), 'base64');
    await user.click(screen.getByRole('checkbox', { name: 'Strict' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Priority' }), 'High');
    await user.type(screen.getByRole('textbox', { name: 'Tags' }), 'ci, ops');
    await user.click(screen.getByRole('button', { name: /^More/ }));
    await user.click(screen.getByRole('checkbox', { name: 'push' }));
    await user.click(screen.getByRole('checkbox', { name: /^Repeats/ }));
    await user.type(screen.getByRole('spinbutton', { name: 'Hourly cap' }), '60');
    await expectAccessible();
    await user.click(screen.getByRole('button', { name: 'Create intake' }));
    await screen.findByRole('heading', { level: 1, name: 'GitHub' });
    expect(server.called('POST /intakes')[0]?.body).toEqual({
      adapter: 'webhook',
      name: 'GitHub',
      preset: 'github',
      verification: {
        scheme: 'hmac',
        secret,
        header: 'X-Signature',
        encoding: 'base64',
        toleranceSeconds: 300,
        strict: false,
      },
      defaults: { priority: 'high', tags: ['ci', 'ops'] },
      events: ['push'],
      reopens: false,
      hourlyCap: 60,
    });
    // To be taken to the sender; only this page knows it.
    expect(within(screen.getByRole('region', { name: 'New secret' })).getByText(secret)).toBeTruthy();
  });

  test('shows what the server finds wrong at its field, which gets the focus', async () => {
    server.replies.set('POST /intakes', () => invalid('settings/allowedSenders/0', 'must be an address'));
    const { user } = open('/admin/intakes/new?adapter=smtp', { server });
    const senders = await screen.findByRole('textbox', { name: 'Allowed senders' });
    expect(screen.getByText('Unverified: anyone who knows the address can send')).toBeTruthy();
    await user.type(senders, 'mira');
    expect(screen.queryByText(/^Unverified/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Create intake' }));
    expect((await screen.findAllByRole('alert')).map((alert) => alert.textContent)).toEqual([
      'Number 1: Must be an address.',
      'Not saved: what is marked is not right yet.',
    ]);
    expect(document.activeElement).toBe(senders);
    expect(server.called('POST /intakes')[0]?.body['settings']).toEqual({
      allowedSenders: ['mira'],
      requirePass: 'none',
    });
  });

  test.each([
    ['priority', 'Priority'],
    ['expiryMinutes', 'Lifetime'],
    ['tags', 'Tags'],
  ])('shows what the server finds wrong with the default %s at its field', async (name, label) => {
    server.replies.set('POST /intakes', () => invalid(`defaults/${name}`, 'must be another'));
    const { user } = open('/admin/intakes/new?adapter=smtp', { server });
    await user.click(await screen.findByRole('button', { name: 'Create intake' }));
    await screen.findByText('Must be another.');
    expect(document.activeElement).toBe(screen.getByLabelText(label));
  });
});

describe('the page of an intake', () => {
  const intake = () => anIntake({ id: 'in_x', name: 'Our repositories' });
  async function openIntake(tab = '') {
    server.intakes.intakes = [intake()];
    const page = open(`/admin/intakes/in_x${tab}`, { server });
    await screen.findByRole('heading', { name: 'Our repositories' });
    return page;
  }

  test('sends a test, shows its task, and goes on waiting for the first real delivery until it comes', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.tasks = [aTask({ id: 'task_t', content: 'Mira opened #7' })];
    const { user } = await openIntake();
    await screen.findByText('Waiting for the first delivery');
    await user.click(screen.getByRole('button', { name: 'Send a test' }));
    await screen.findByText('Mira opened #7');
    expect(screen.getByRole('link', { name: /See it in the inbox/ }).getAttribute('href')).toBe('/inbox');
    await screen.findByRole('button', { name: /Accepted.*Test/ });
    expect(screen.getByText('Waiting for the first delivery')).toBeTruthy();
    await expectAccessible();
    server.intakes.deliveries.unshift(aDelivery({ verdict: 'ignored', reason: 'GitHub says hello.' }));
    await act(() => vi.advanceTimersByTimeAsync(5000));
    await screen.findByText('The first delivery is here.');
    expect(screen.queryByText('Waiting for the first delivery')).toBeNull();
    vi.useRealTimers();
  });

  test('tells of each delivery, opens to what it carried as text alone, and replays it', async () => {
    server.intakes.deliveries = [
      aDelivery({ id: 'dlv_1', taskIds: ['task_gone'], notes: { spf: 'pass' } }),
      aDelivery({ verdict: 'refused', reason: 'The signature does not match.', canReplay: false }),
    ];
    server.replies.set('GET /tasks/task_gone', () => refusal(410, 'NOT_FOUND', 'Gone.'));
    const { user } = await openIntake();
    const list = await screen.findByRole('list', { name: 'Last deliveries' });
    expect(list.textContent).toContain('The signature does not match.');
    await user.click(within(list).getByRole('button', { name: /Accepted/ }));
    const body = await within(list).findByRole('group', { name: 'Body' });
    expect(body.textContent).toContain('"note": "<b>bold</b>"');
    expect(within(list).getByRole('group', { name: 'Headers' }).textContent).toBe('x-github-event: push');
    expect(list.textContent).toContain('SPFpass');
    expect(await within(list).findByText('The task is no longer in the inbox.')).toBeTruthy();
    await expectAccessible();
    await user.click(within(list).getByRole('button', { name: 'Replay' }));
    await within(list).findByRole('button', { name: /Repeat.*Replay/ });
    expect(server.called('POST /intakes/in_x/deliveries/dlv_1/replay')).toHaveLength(1);
  });

  test('shows what tools of other hubs need, to be copied: the address, and the key where they ask for one', async () => {
    const apps = 'https://q.example.com as URL, and an API key as password';
    const gotify = { title: 'Gotify', address: 'https://q.example.com', key: 'Aabcdefghijklmn', apps };
    const address = 'https://q.example.com/services/x';
    const slack = { title: 'Slack incoming webhook', address, key: null, apps: null };
    server.intakes.intakes = [anIntake({ id: 'in_x', name: 'Tools', otherAddresses: [gotify, slack] })];
    const { user } = open('/admin/intakes/in_x', { server });
    await user.click(await screen.findByText('For tools made for Slack, ntfy and others'));
    expect(screen.getByText(`To see the queue in its app: ${apps}.`)).toBeTruthy();
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await user.click(screen.getByRole('button', { name: 'Copy the key for Gotify' }));
    await user.click(screen.getByRole('button', { name: 'Copy the address for Slack incoming webhook' }));
    expect(copied.mock.calls).toEqual([[gotify.key], [slack.address]]);
    expect(screen.queryByRole('button', { name: 'Copy the key for Slack incoming webhook' })).toBeNull();
    await expectAccessible();
  });

  test('pauses and resumes', async () => {
    const { user } = await openIntake();
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    await user.click(await screen.findByRole('button', { name: 'Resume' }));
    await screen.findByRole('button', { name: 'Pause' });
    expect(server.called('PATCH /intakes/in_x').map(({ body }) => body)).toEqual([
      { paused: true },
      { paused: false },
    ]);
  });

  test('gives it a new address and says until when the old one is good', async () => {
    const { user } = await openIntake();
    await user.click(screen.getByRole('button', { name: /^New address/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New address' }));
    await user.click(dialog.getByRole('radio', { name: 'In 1 hour' }));
    expect(dialog.getByRole('status').textContent).toMatch(/^It stays good until/);
    await expectAccessible();
    await user.click(dialog.getByRole('button', { name: 'Make a new address' }));
    await screen.findByText(/-new$/);
    expect(screen.getByText(/The old address is good until Nov 22, 2026, 09:05 AM/)).toBeTruthy();
    expect(server.called('POST /intakes/in_x/rotate')[0]?.body).toEqual({ graceMinutes: 60 });
  });

  test('gives it a new secret, says until when the old one is good, and ends it when it has leaked', async () => {
    const { user } = await openIntake();
    await user.click(await screen.findByRole('button', { name: /^New secret/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New secret' }));
    const made = dialog.getByLabelText<HTMLInputElement>('Secret').value;
    expect(made.length).toBeGreaterThan(20);
    expect(dialog.getByRole('status').textContent).toMatch(/^It stays good until/);
    await user.click(dialog.getByRole('radio', { name: 'In 1 hour' }));
    await expectAccessible();
    await user.click(dialog.getByRole('button', { name: 'Change the secret' }));
    await screen.findByText(/The old secret is good until Nov 22, 2026, 09:05 AM/);
    expect(server.called('PATCH /intakes/in_x')[0]?.body).toEqual({
      verification: { scheme: 'github', secret: made },
      secretGraceMinutes: 60,
    });
    await within(await screen.findByRole('region', { name: 'New secret' })).findByText(made);
    await user.click(screen.getByRole('button', { name: 'It has leaked: end it now' }));
    await waitFor(() => expect(screen.queryByText(/The old secret is good until/)).toBeNull());
    expect(server.called('PATCH /intakes/in_x')[1]?.body).toEqual({ secretGraceMinutes: 0 });
  });

  test('ends a secret that has leaked at once', async () => {
    const { user } = await openIntake();
    await user.click(await screen.findByRole('button', { name: /^New secret/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New secret' }));
    await user.click(dialog.getByRole('radio', { name: 'Now' }));
    expect(dialog.getByRole('status').textContent).toMatch(/Choose this when it has leaked/);
    await user.click(dialog.getByRole('button', { name: 'Change the secret' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New secret' })).toBeNull());
    expect(server.called('PATCH /intakes/in_x')[0]?.body).toMatchObject({ secretGraceMinutes: 0 });
    expect(screen.queryByText(/The old secret is good until/)).toBeNull();
  });

  test('keeps secrets that are not typed anew, and one that is goes out and is shown once', async () => {
    const { user } = await openIntake('?tab=settings');
    const secret = await screen.findByLabelText('Secret');
    expect(secret.getAttribute('placeholder')).toBe('Kept; type to replace');
    await user.clear(screen.getByRole('textbox', { name: 'Name' }));
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Ours');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await screen.findByRole('heading', { name: 'Ours' });
    expect(server.called('PATCH /intakes/in_x')[0]?.body).toMatchObject({
      name: 'Ours',
      verification: { scheme: 'github' },
    });
    expect(server.called('PATCH /intakes/in_x')[0]?.body['verification']).toEqual({ scheme: 'github' });
    await user.type(await screen.findByLabelText('Secret'), 'from the sender');
    await user.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() =>
      expect(server.called('PATCH /intakes/in_x')[1]?.body['verification']).toEqual({
        scheme: 'github',
        secret: 'from the sender',
      }),
    );
    await within(await screen.findByRole('region', { name: 'New secret' })).findByText('from the sender');
  });

  test('revokes it after a question and goes back to the list', async () => {
    const { user } = await openIntake('?tab=settings');
    await user.click(await screen.findByRole('button', { name: 'Revoke this intake' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Revoke Our repositories' }));
    await user.click(question.getByRole('button', { name: 'Revoke' }));
    await screen.findByRole('heading', { name: 'Intakes' });
    await screen.findByText(/Choose a sender/);
    expect(server.called('DELETE /intakes/in_x')).toHaveLength(1);
  });

  test('says so where there is none, and is for signed-in people alone', async () => {
    const { unmount } = open('/admin/intakes/in_none', { server });
    await screen.findByRole('heading', { name: 'There is no such intake' });
    unmount();
    open('/admin/intakes/in_x', { server, signedIn: { apiKey: 'qi_1' } });
    expect(await screen.findByRole('heading', { name: /Insufficient|Authentication/ })).toBeTruthy();
    expect(server.called('GET /intakes/in_x')).toEqual([]);
  });
});
