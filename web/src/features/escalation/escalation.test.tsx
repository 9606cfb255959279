// Escalation among the settings: made of what is offered or by hand, changed, paused, tested, read, deleted;
// and the digest, saved as it is changed.
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Escalation } from '#core/contract/index.ts';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { anEscalation, anEscalationRun } from '../../../test/escalations.ts';
import { anIntake } from '../../../test/intakes.ts';
import { aPushDevice } from '../../../test/push.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { aWebhook } from '../../../test/webhooks.ts';
import { ownZone } from '#core/domain/snooze-times.ts';
import { delayText, scopeText } from './model/steps.ts';

interface Setup {
  list?: Escalation[];
  mail?: boolean;
}

async function openCard({ list = [], mail = false }: Setup = {}, server = new FakeServer()) {
  server.escalations.list = list;
  server.escalations.mail = mail;
  const page = open('/admin/escalation', { server });
  const card = within(await screen.findByRole('region', { name: 'Escalation' }));
  return { ...page, server, card };
}
type Opened = Awaited<ReturnType<typeof openCard>>;

const made = ({ server }: Opened) => server.called('POST /escalations').map(({ body }) => body);
const saved = ({ server }: Opened) => server.called('PUT /escalations/esc_1').map(({ body }) => body);
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
const stepOf = (form: Awaited<ReturnType<typeof dialog>>, number: number) =>
  within(form.getByRole('group', { name: `Step ${number}` }));

async function choose({ user, card }: Opened, action: string): Promise<void> {
  await user.click(await card.findByRole('button', { name: 'Actions for Production alerts' }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
}

describe('escalations', () => {
  test('begin with a good one that is offered, with mail to oneself where the server sends it', async () => {
    for (const mail of [false, true]) {
      const page = await openCard({ mail });
      const offered = within(await page.card.findByRole('region', { name: 'A good first one' }));
      const way = 'Push after 5 min Push after 15 min';
      expect(offered.getByRole('list').textContent.replaceAll('min', 'min ').trim()).toBe(
        mail ? `${way} Mail to me@example.com after 30 min` : way,
      );
      await expectAccessible();
      await page.user.click(offered.getByRole('button', { name: 'Use this one' }));
      await page.card.findByRole('list', { name: 'Escalations' });
      expect(made(page)).toEqual([
        {
          name: 'High priority',
          intake: null,
          priorities: ['high'],
          steps: [
            { afterMinutes: 5, kind: 'push' },
            { afterMinutes: 15, kind: 'push' },
            ...(mail ? [{ afterMinutes: 30, kind: 'mail', to: 'me@example.com' }] : []),
          ],
        },
      ]);
      expect(page.card.getByText('All tasks, only high')).toBeTruthy();
      // There is one for all tasks, and no intake that could have its own.
      expect(page.card.getByRole('button', { name: 'Add escalation' })).toHaveProperty('disabled', true);
      page.unmount();
    }
  });

  test('are made step by step, once nothing is missing', async () => {
    const server = new FakeServer();
    server.webhooks.list = [aWebhook({ paused: true })];
    const page = await openCard({ mail: true }, server);
    const { user, card } = page;
    await user.click(await card.findByRole('button', { name: 'Make my own' }));
    const form = await dialog('New escalation');
    expect(await form.findByText(/^No device of yours gets pushes yet/)).toBeTruthy();
    expect(form.queryByRole('button', { name: 'Remove step 1' })).toBeNull();
    for (let steps = 1; steps < 4; steps++) await user.click(form.getByRole('button', { name: 'Add step' }));
    expect(document.activeElement).toBe(stepOf(form, 4).getByRole('textbox', { name: 'Minutes' }));
    const kinds = ['Slack message', 'Mail', 'Webhook'];
    for (const [index, kind] of kinds.entries())
      await user.selectOptions(stepOf(form, index + 2).getByRole('combobox', { name: 'Then' }), kind);
    await user.clear(stepOf(form, 1).getByRole('textbox', { name: 'Minutes' }));
    await user.type(stepOf(form, 2).getByRole('textbox', { name: 'Minutes' }), '5.');
    await user.click(form.getByRole('checkbox', { name: 'High' }));
    await user.click(form.getByRole('button', { name: 'Add' }));
    expect(form.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'Please enter a name.',
      'Please choose at least one.',
      '0 to 10080, which is 7 days.',
      '0 to 10080, which is 7 days.',
      'Please enter the address of the incoming webhook.',
      'Please enter a mail address.',
    ]);
    const name = form.getByRole('textbox', { name: 'Name' });
    await waitFor(() => expect(document.activeElement).toBe(name));
    await expectAccessible();
    expect(made(page)).toEqual([]);

    await user.type(name, 'Nights');
    await user.click(form.getByRole('checkbox', { name: 'Low' }));
    await user.type(stepOf(form, 1).getByRole('textbox', { name: 'Minutes' }), '0');
    await user.type(stepOf(form, 2).getByRole('textbox', { name: 'Minutes' }), '{Backspace}{Backspace}');
    await user.type(
      stepOf(form, 2).getByRole('textbox', { name: 'Address' }),
      'https://hooks.slack.com/services/T/B/XXXX',
    );
    await user.type(stepOf(form, 3).getByRole('textbox', { name: 'To' }), 'ann@example.com');
    expect(stepOf(form, 4).getByRole('option', { name: 'Incident bot (paused)' })).toBeTruthy();
    await user.click(form.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(made(page)).toEqual([
      {
        name: 'Nights',
        intake: null,
        priorities: ['low'],
        paused: false,
        steps: [
          { afterMinutes: 0, kind: 'push' },
          { afterMinutes: 20, kind: 'slack', to: 'https://hooks.slack.com/services/T/B/XXXX' },
          { afterMinutes: 35, kind: 'mail', to: 'ann@example.com' },
          { afterMinutes: 50, kind: 'webhook', to: 'wh_1' },
        ],
      },
    ]);
    const steps = within(await card.findByRole('list', { name: 'Steps' })).getAllByRole('listitem');
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      'Push at once',
      'Slack to hooks.slack.com/…XXXX after 20 min',
      'Mail to ann@example.com after 35 min',
      'Webhook Incident bot after 50 min',
    ]);
  });

  test('say at the field what the server refuses, and above the buttons what belongs to none', async () => {
    const server = new FakeServer();
    const page = await openCard({ list: [anEscalation()], mail: true }, server);
    const wrong = refusal(400, 'VALIDATION_ERROR', 'steps/2/to: must be an address');
    const details = [{ field: 'steps/2/to', message: 'must be the address of a user of this server' }];
    server.replies.set('PUT /escalations/esc_1', () => ({
      ...wrong,
      body: { ...(wrong.body as object), details },
    }));
    await choose(page, 'Edit');
    const form = await dialog('Edit Production alerts');
    await page.user.click(form.getByRole('button', { name: 'Save' }));
    expect((await stepOf(form, 3).findByRole('alert')).textContent).toBe(
      'Must be the address of a user of this server.',
    );
    const to = stepOf(form, 3).getByRole('textbox', { name: 'To' });
    await waitFor(() => expect(document.activeElement).toBe(to));
    // A number of a step that is another step now is no place for an objection.
    await page.user.click(form.getByRole('button', { name: 'Remove step 1' }));
    expect(form.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(form.getByRole('button', { name: 'Add step' }));

    server.replies.set('PUT /escalations/esc_1', () =>
      refusal(409, 'CONFLICT', 'There is an escalation for this intake already: “Nights”. Change that one.'),
    );
    await page.user.click(form.getByRole('button', { name: 'Save' }));
    expect((await form.findByRole('alert')).textContent).toContain('“Nights”. Change that one.');
  });

  test('never show a stored address: it stays, or is replaced', async () => {
    const page = await openCard({ list: [anEscalation()] });
    const { user } = page;
    await choose(page, 'Edit');
    const form = await dialog('Edit Production alerts');
    expect(stepOf(form, 2).getByText('hooks.slack.com/…XXXX')).toBeTruthy();
    expect(form.getByText(/Mail is not offered/)).toBeTruthy();
    // The step that has it is not taken away by that.
    expect(stepOf(form, 3).getByText(/^This server sends no mail any more/)).toBeTruthy();
    expect(stepOf(form, 1).queryByRole('option', { name: 'Mail' })).toBeNull();
    await user.click(stepOf(form, 2).getByRole('button', { name: 'Replace' }));
    const address = stepOf(form, 2).getByRole('textbox', { name: 'Address' });
    expect(document.activeElement).toBe(address);
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved(page)).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    await choose(page, 'Edit');
    const again = await dialog('Edit Production alerts');
    await user.click(stepOf(again, 2).getByRole('button', { name: 'Replace' }));
    await user.type(
      stepOf(again, 2).getByRole('textbox', { name: 'Address' }),
      'https://chat.example.com/1234',
    );
    await user.click(again.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved(page)).toHaveLength(2));
    expect(saved(page).map(({ steps }) => (steps as object[])[1])).toEqual([
      { id: 'step_2', afterMinutes: 5, kind: 'slack' },
      { id: 'step_2', afterMinutes: 5, kind: 'slack', to: 'https://chat.example.com/1234' },
    ]);
  });

  test('go to Slack by the connected app, or by a webhook instead, and say what is gone', async () => {
    const server = new FakeServer();
    server.escalations.slack = [
      { id: 'T1:U1', name: 'ann in Acme' },
      { id: 'C1', name: '#ops' },
    ];
    const steps = [
      { id: 'step_1', afterMinutes: 0, kind: 'slack' as const, to: 'T1:U1' },
      { id: 'step_2', afterMinutes: 5, kind: 'slack' as const, to: 'T2:U2' },
      { id: 'step_3', afterMinutes: 9, kind: 'slack' as const, to: 'hooks.slack.com/…XXXX' },
    ];
    const page = await openCard({ list: [anEscalation({ steps })] }, server);
    const { user, card } = page;
    const line = within(await card.findByRole('list', { name: 'Steps' })).getAllByRole('listitem');
    expect(line.map(({ textContent }) => textContent)).toEqual([
      'Slack to ann in Acme at once',
      'Slack to what is gone after 5 min',
      'Slack to hooks.slack.com/…XXXX after 9 min',
    ]);
    await choose(page, 'Edit');
    const form = await dialog('Edit Production alerts');
    const to = (number: number) => stepOf(form, number).getByRole('combobox', { name: 'To' });
    const shown = (number: number) => (to(number) as HTMLSelectElement).selectedOptions[0]?.textContent;
    expect([1, 2, 3].map(shown)).toEqual([
      'ann in Acme',
      'An account or channel that is gone',
      'An incoming webhook',
    ]);
    expect(stepOf(form, 3).getByText('hooks.slack.com/…XXXX')).toBeTruthy();
    await expectAccessible();
    await user.selectOptions(to(1), 'An incoming webhook');
    await user.click(form.getByRole('button', { name: 'Save' }));
    expect((await form.findByRole('alert')).textContent).toBe(
      'Please enter the address of the incoming webhook.',
    );
    await user.selectOptions(to(1), 'ann in Acme');
    await user.selectOptions(to(3), '#ops');
    await user.click(form.getByRole('button', { name: 'Add step' }));
    await user.selectOptions(stepOf(form, 4).getByRole('combobox', { name: 'Then' }), 'Slack message');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved(page)).toHaveLength(1));
    expect(saved(page)[0]?.['steps']).toEqual([
      { id: 'step_1', afterMinutes: 0, kind: 'slack', to: 'T1:U1' },
      { id: 'step_2', afterMinutes: 5, kind: 'slack' },
      { id: 'step_3', afterMinutes: 9, kind: 'slack', to: 'C1' },
      { afterMinutes: 24, kind: 'slack', to: 'T1:U1' },
    ]);
  });

  test.each([true, false])(
    'say where an account is linked only where there is an app of Slack: %s',
    async (is) => {
      const server = new FakeServer();
      server.slack.configured = is;
      const { user, card } = await openCard({}, server);
      await user.click(await card.findByRole('button', { name: 'Make my own' }));
      const form = await dialog('New escalation');
      expect(form.getByRole('combobox', { name: 'For' }).textContent).toBe('All tasks');
      await user.selectOptions(form.getByRole('combobox', { name: 'Then' }), 'Slack message');
      await waitFor(() => expect(server.called('GET /slack')).toHaveLength(1));
      if (is) await form.findByText(/^Or link your account in Settings, Slack/);
      else expect(form.queryByText(/^Or link your account/)).toBeNull();
    },
  );

  test('are paused and resumed with the rest as it is, and deleted after a question', async () => {
    const page = await openCard({ list: [anEscalation({ intake: 'int_gone' })] });
    const { user, server, card } = page;
    await choose(page, 'Pause');
    await card.findByText('Paused');
    await choose(page, 'Resume');
    await waitFor(() => expect(card.queryByText('Paused')).toBeNull());
    expect(saved(page)).toEqual(
      [true, false].map((paused) => ({
        name: 'Production alerts',
        intake: 'int_gone',
        priorities: ['high'],
        paused,
        steps: [
          { id: 'step_1', afterMinutes: 0, kind: 'push' },
          { id: 'step_2', afterMinutes: 5, kind: 'slack' },
          { id: 'step_3', afterMinutes: 90, kind: 'mail', to: 'ann@example.com' },
        ],
      })),
    );
    expect(await card.findByText('An intake that is gone, only high')).toBeTruthy();

    await choose(page, 'Delete');
    const question = within(await screen.findByRole('alertdialog', { name: 'Delete Production alerts' }));
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(server.called('DELETE /escalations/esc_1')).toEqual([]);
    await choose(page, 'Delete');
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await card.findByRole('region', { name: 'A good first one' });
  });

  test('show what came of each step, also as text what came from outside, and of a test at once', async () => {
    const server = new FakeServer();
    const soon = new Date(Date.now() + 10 * 60_000 + 5000).toISOString();
    server.escalations.runs = [
      anEscalationRun({ step: 'step_3', status: 'waiting', dueAt: soon, attempts: 0, detail: null }),
      anEscalationRun({
        step: 'step_2',
        status: 'failed',
        attempts: 3,
        detail: 'It answered 404: <b>no</b>',
      }),
      anEscalationRun({
        taskId: 'task_2',
        title: 'Seen',
        status: 'stopped',
        detail: 'The task was acknowledged.',
      }),
    ];
    const page = await openCard({ list: [anEscalation()] }, server);
    await page.user.click(
      await page.card.findByRole('button', { name: 'What came of it: Production alerts' }),
    );
    const list = within(await page.card.findByRole('list', { name: 'What came of Production alerts' }));
    const rows = list.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(rows[0]).toMatch(/^WaitingStep 3: Mail to ann@example\.comin 10 minutesDisk full$/);
    expect(rows[1]).toMatch(/^FailedStep 2: Slack.*Disk full3 attemptsIt answered 404: <b>no<\/b>$/);
    expect(rows[2]).toMatch(/^StoppedStep 1: Push.*SeenThe task was acknowledged\.$/);
    expect(list.getByRole('link', { name: 'Seen' }).getAttribute('href')).toBe('/inbox?task=task_2');
    await expectAccessible();

    await choose(page, 'Test every step');
    expect(await list.findAllByText('Told by a test.')).toHaveLength(3);
    server.escalations.runs = [anEscalationRun({ detail: 'Came while it was open.' })];
    await list.findByText('Came while it was open.', {}, { timeout: 60_000 });
  });

  test('can be for one intake each, those that are taken left out', async () => {
    const server = new FakeServer();
    server.intakes.intakes = [
      anIntake({ id: 'int_1', name: 'Alertmanager' }),
      anIntake({ id: 'int_2', name: 'Door' }),
    ];
    const list = [anEscalation(), anEscalation({ id: 'esc_2', name: 'Doors', intake: 'int_2' })];
    const page = await openCard({ list }, server);
    expect(await page.card.findByText('What comes through Door, only high')).toBeTruthy();
    expect(page.card.getByText('Everything else, only high')).toBeTruthy();
    await page.user.click(page.card.getByRole('button', { name: 'Add escalation' }));
    const form = await dialog('New escalation');
    const options = within(form.getByRole('combobox', { name: 'For' })).getAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['What comes through Alertmanager']);
    await page.user.type(form.getByRole('textbox', { name: 'Name' }), 'Alerts');
    await page.user.click(form.getByRole('button', { name: 'Add' }));
    expect(await page.card.findByText(/^One more is possible for an intake/)).toBeTruthy();
    expect(made(page)).toMatchObject([{ name: 'Alerts', intake: 'int_1' }]);
    expect(
      scopeText({
        escalation: { intake: 'int_1', priorities: ['low', 'high'] },
        intakes: [{ id: 'int_1', name: 'Alertmanager' }],
        isOneOfMany: true,
      }),
    ).toBe('What comes through Alertmanager, only high and low');
    expect([0, 5, 60, 90, 1440, 1501].map(delayText)).toEqual([
      'at once',
      'after 5 min',
      'after 1 h',
      'after 1 h 30 min',
      'after 1 d',
      'after 1 d 1 h 1 min',
    ]);
  });

  test('cannot be loaded without a network, which is said with a way to try again', async () => {
    const server = new FakeServer();
    for (const name of ['GET /escalations', 'GET /digest'])
      server.replies.set(name, () => Promise.reject(new TypeError('no network')));
    const { user } = open('/admin/escalation', { server });
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
    server.replies.clear();
    for (const again of screen.getAllByRole('button', { name: 'Try again' })) await user.click(again);
    await screen.findByRole('region', { name: 'A good first one' });
    await screen.findByRole('checkbox', { name: 'Tell me once a day what expired unseen' });
  });

  test('are not there for guests, with the demo before them, and keys', async () => {
    for (const signedIn of [false, { apiKey: 'qi_1' }]) {
      const { unmount, server } = open('/admin/escalation', { signedIn });
      await screen.findByRole('heading', {
        name: signedIn === false ? 'Authentication Required' : 'Insufficient Authentication',
      });
      expect(server.called('GET /escalations')).toEqual([]);
      unmount();
    }
  });
});

describe('the digest', () => {
  const digest = async () => within(await screen.findByRole('region', { name: 'Digest' }));

  test('begins in the morning of the own zone as a task, is saved as it is changed, and comes back as it was', async () => {
    const { server, user } = await openCard({ mail: true });
    const card = await digest();
    const all = await card.findByRole('checkbox', { name: 'Tell me once a day what expired unseen' });
    await user.click(all);
    await waitFor(() =>
      expect(server.escalations.digest).toEqual({ time: '08:00', zone: ownZone(), to: ['task'] }),
    );
    const time = card.getByLabelText('At');
    await user.clear(time);
    await user.tab();
    expect((await card.findByRole('alert')).textContent).toBe('Give a time.');
    await user.type(time, '07:30{Enter}');
    await user.selectOptions(card.getByRole('combobox', { name: 'Time zone' }), 'Pacific/Apia');
    await user.click(card.getByRole('checkbox', { name: 'Mail to me@example.com' }));
    await user.click(card.getByRole('checkbox', { name: 'A task in my inbox' }));
    const expected = { time: '07:30', zone: 'Pacific/Apia', to: ['mail'] };
    await waitFor(() => expect(server.escalations.digest).toEqual(expected));
    await user.click(card.getByRole('checkbox', { name: 'Mail to me@example.com' }));
    expect(card.getByText('Choose at least one, or switch the digest off.')).toBeTruthy();
    await expectAccessible();
    await user.click(all);
    await waitFor(() => expect(server.escalations.digest).toBeNull());
    await user.click(all);
    await waitFor(() => expect(server.escalations.digest).toEqual(expected));
    expect(await screen.findByText('Saved')).toBeTruthy();
  });

  test('that was not saved is as before, and says why; mail is only where the server sends it', async () => {
    const { server, user } = await openCard();
    server.replies.set('PUT /digest', () => refusal(503, 'UNAVAILABLE', 'The server cannot do this now.'));
    const card = await digest();
    const all = await card.findByRole('checkbox', { name: 'Tell me once a day what expired unseen' });
    await user.click(all);
    expect((await card.findByRole('alert')).textContent).toContain('The server cannot do this now.');
    await waitFor(() => expect(all).toHaveProperty('checked', false));
    server.replies.clear();
    await user.click(all);
    await card.findByText(/^Mail is not offered/);
    expect(card.queryByRole('checkbox', { name: /^Mail/ })).toBeNull();
  });
});

test('a push step says nothing of devices where there is one', async () => {
  const server = new FakeServer();
  server.push.devices = [aPushDevice()];
  const page = await openCard({}, server);
  await page.user.click(await page.card.findByRole('button', { name: 'Make my own' }));
  const form = await dialog('New escalation');
  await waitFor(() => expect(server.called('GET /push').length).toBeGreaterThan(0));
  expect(form.queryByText(/^No device of yours/)).toBeNull();
});
