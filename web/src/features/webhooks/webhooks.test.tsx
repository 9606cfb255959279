// The webhooks among the settings: added with a secret that is shown once, tested, read, replayed, paused,
// deleted.
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { anIntake } from '../../../test/intakes.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { aWebhook, aWebhookDelivery } from '../../../test/webhooks.ts';

async function openCard(server = new FakeServer()) {
  const page = open('/admin/webhooks', { server });
  const card = within(await screen.findByRole('region', { name: 'Webhooks' }));
  return { ...page, server, card };
}
type Opened = Awaited<ReturnType<typeof openCard>>;

const saved = ({ server }: Opened) => server.calls.filter(({ method }) => method === 'PUT').at(-1)?.body;

async function choose({ user, card }: Opened, action: string): Promise<void> {
  await user.click(await card.findByRole('button', { name: 'Actions for Incident bot' }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
}

test('adds one with what it is told, and shows its secret once', async () => {
  const page = await openCard();
  const { user, server, card } = page;
  expect(await card.findByText('No webhook yet.')).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'Add webhook' }));
  const form = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  await user.click(form.getByRole('button', { name: 'Add' }));
  expect(form.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    'Please enter a name.',
    'Please enter an address.',
  ]);
  const name = form.getByRole('textbox', { name: 'Name' });
  expect(document.activeElement).toBe(name);
  await expectAccessible();
  expect(server.called('POST /webhooks')).toEqual([]);

  await user.type(name, 'Bot');
  await user.type(form.getByRole('textbox', { name: 'Address' }), 'https://h.example.com/q');
  await user.click(form.getByRole('checkbox', { name: 'Changed' }));
  await user.click(form.getByRole('checkbox', { name: 'High' }));
  await user.type(form.getByRole('textbox', { name: 'Only with one of these tags' }), 'ops, billing');
  await user.click(form.getByRole('button', { name: 'Add' }));
  const secret = within(await card.findByRole('region', { name: 'New secret' }));
  expect(secret.getByText('whsec_first1')).toBeTruthy();
  expect(server.called('POST /webhooks').map(({ body }) => body)).toEqual([
    {
      name: 'Bot',
      url: 'https://h.example.com/q',
      events: ['task.created', 'task.acknowledged', 'task.expired'],
      filter: { priorities: ['high'], tags: ['ops', 'billing'] },
      paused: false,
    },
  ]);
  expect(card.getByText('Created, Acknowledged, Expired, only high, with #ops or #billing')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await expectAccessible();
  await user.click(secret.getByRole('button', { name: 'I have stored it' }));
  expect(card.queryByRole('region', { name: 'New secret' })).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Webhooks' })));
});

test('of many intakes, those that a webhook is for come first, and others are found by what is typed', async () => {
  const server = new FakeServer();
  server.intakes.intakes = Array.from({ length: 11 }, (_, at) =>
    anIntake({ id: `in_${at}`, name: at === 9 ? 'Grafana, prod' : `backup ${at}` }),
  );
  server.webhooks.list = [aWebhook({ filter: { intakes: ['in_5'] } })];
  const page = await openCard(server);
  const { user } = page;
  await choose(page, 'Edit');
  const form = within(await screen.findByRole('dialog', { name: 'Edit Incident bot' }));
  const group = within(await form.findByRole('group', { name: 'Only through these intakes' }));
  const shown = () => group.getAllByRole('checkbox').map((box) => box.parentElement?.textContent);
  expect(shown().slice(0, 3)).toEqual(['backup 5', 'backup 0', 'backup 1']);
  await user.type(group.getByRole('searchbox', { name: 'Find an intake' }), 'prod graf{Enter}');
  expect(shown()).toEqual(['Grafana, prod']);
  expect(saved(page), 'Enter in the field sends nothing').toBeUndefined();
  await user.click(group.getByRole('checkbox'));
  await user.click(group.getByRole('searchbox'));
  await user.keyboard('{Escape}');
  expect(shown().slice(0, 3)).toEqual(['backup 5', 'Grafana, prod', 'backup 0']);
  await user.click(group.getByRole('checkbox', { name: 'backup 0' }));
  expect(shown()[2], 'none moves when it is pressed').toBe('backup 0');
  await expectAccessible();
  await user.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved(page)).toMatchObject({ filter: { intakes: ['in_5', 'in_9', 'in_0'] } }));
});

test('says at the field what the server refuses, and keeps what was typed', async () => {
  const server = new FakeServer();
  const { user, card } = await openCard(server);
  const wrong = refusal(400, 'VALIDATION_ERROR', 'url: must be outside');
  server.replies.set('POST /webhooks', () => ({
    ...wrong,
    body: { ...(wrong.body as object), details: [{ field: 'url', message: 'must be outside' }] },
  }));
  await user.click(await card.findByRole('button', { name: 'Add webhook' }));
  const form = within(await screen.findByRole('dialog', { name: 'New webhook' }));
  await user.type(form.getByRole('textbox', { name: 'Name' }), 'Bot');
  await user.type(form.getByRole('textbox', { name: 'Address' }), 'https://127.0.0.1/');
  await user.click(form.getByRole('button', { name: 'Add' }));
  expect((await form.findByRole('alert')).textContent).toBe('Must be outside.');
  const address = form.getByRole('textbox', { name: 'Address' });
  expect(address).toHaveProperty('value', 'https://127.0.0.1/');
  await waitFor(() => expect(document.activeElement).toBe(address));

  const events = form.getByRole('group', { name: 'Tell it when a task is' });
  const choices = within(events).getAllByRole('checkbox');
  for (const choice of choices) await user.click(choice);
  await user.click(form.getByRole('button', { name: 'Add' }));
  expect(within(events).getByRole('alert').textContent).toBe('Please choose at least one.');
  expect(document.activeElement).toBe(choices[0]);
  expect(choices[0]?.getAttribute('aria-invalid')).toBe('true');
});

test('sends a test and shows what came of it; what was sent can be sent again', async () => {
  const server = new FakeServer();
  server.webhooks.list = [aWebhook()];
  server.webhooks.deliveries = [
    aWebhookDelivery({
      status: 'failed',
      attempts: 9,
      answer: { status: 500, error: null, body: '<b>oops</b>', ms: 40 },
    }),
  ];
  const page = await openCard(server);
  const { user, card } = page;
  await choose(page, 'Send a test');
  const list = within(await card.findByRole('list', { name: 'Deliveries to Incident bot' }));
  expect(await list.findByText('webhook.test')).toBeTruthy();
  await user.click(list.getByRole('button', { name: /^Given up.*9 attempts/ }));
  expect(list.getByText('Status 500, after 40 ms')).toBeTruthy();
  expect(list.getByText('<b>oops</b>')).toBeTruthy();
  await expectAccessible();
  await user.click(list.getByRole('button', { name: 'Send again' }));
  await waitFor(() => expect(server.called('POST /webhooks/wh_1/deliveries/msg_1/replay')).toHaveLength(1));
  await user.click(card.getByRole('button', { name: 'Deliveries to Incident bot' }));
  expect(card.queryByRole('list', { name: 'Deliveries to Incident bot' })).toBeNull();
});

test('pauses and resumes with the rest as it is, and says why one was switched off', async () => {
  const server = new FakeServer();
  const filter = { priorities: ['high' as const], intakes: ['int_gone'], tags: ['ops'] };
  server.webhooks.list = [aWebhook({ filter })];
  const page = await openCard(server);
  const rest = {
    name: 'Incident bot',
    url: 'https://hooks.example.com/qinbox',
    events: ['task.created', 'task.acknowledged'],
    filter,
  };
  await choose(page, 'Pause');
  expect(await page.card.findByText('Paused')).toBeTruthy();
  expect(saved(page)).toEqual({ ...rest, paused: true });
  await choose(page, 'Resume');
  await waitFor(() => expect(page.card.queryByText('Paused')).toBeNull());
  expect(saved(page)).toEqual({ ...rest, paused: false });
  page.unmount();

  const off = { at: '2026-11-20T08:05:00.000Z', reason: 'It answered 410 Gone.' };
  server.webhooks.list = [aWebhook({ off })];
  const again = await openCard(server);
  expect(await again.card.findByText('It answered 410 Gone.')).toBeTruthy();
  await choose(again, 'Switch on again');
  await waitFor(() => expect(again.card.queryByText('Switched off')).toBeNull());
});

test('edits, makes a new secret and deletes after a question', async () => {
  const server = new FakeServer();
  server.webhooks.list = [aWebhook({ filter: { intakes: ['int_gone'] } })];
  const page = await openCard(server);
  const { user, card } = page;
  await choose(page, 'Edit');
  const form = within(await screen.findByRole('dialog', { name: 'Edit Incident bot' }));
  await user.click(form.getByRole('checkbox', { name: 'An intake that is gone' }));
  await user.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(saved(page)).toMatchObject({ filter: {} }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  await choose(page, 'New secret');
  await user.click(await screen.findByRole('button', { name: 'Make a new secret' }));
  expect(await card.findByText('whsec_new1')).toBeTruthy();

  await choose(page, 'Delete');
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete Incident bot' }));
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  expect(server.called('DELETE /webhooks/wh_1')).toEqual([]);
  await choose(page, 'Delete');
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(await card.findByText('No webhook yet.')).toBeTruthy();
  expect(card.queryByText('whsec_new1')).toBeNull();
});

test('one that another tab has deleted is deleted', async () => {
  const server = new FakeServer();
  server.webhooks.list = [aWebhook()];
  server.replies.set('DELETE /webhooks/wh_1', () => refusal(404, 'NOT_FOUND', 'There is no such webhook.'));
  const page = await openCard(server);
  await choose(page, 'Delete');
  await page.user.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(await page.card.findByText('No webhook yet.')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a long address is cut until all of it is asked for', async () => {
  const server = new FakeServer();
  const url = `https://hooks.example.com/${'a'.repeat(1900)}`;
  server.webhooks.list = [aWebhook({ url })];
  const { user, card } = await openCard(server);
  const button = await card.findByRole('button', { name: 'Show all of the address' });
  expect(card.queryByText(url)).toBeNull();
  expect(card.getByText(/^https:\/\/hooks\.example\.com\/a+…$/).textContent.length).toBeLessThan(130);
  await expectAccessible();
  await user.click(button);
  expect(card.getByText(url)).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'Show less' }));
  expect(card.queryByText(url)).toBeNull();
});

test('is not there for guests and keys', async () => {
  for (const signedIn of [false, { apiKey: 'qi_1' }]) {
    const { unmount, server } = open('/admin', { signedIn });
    await screen.findByRole('heading', { name: 'Settings' });
    expect(screen.queryByRole('link', { name: 'Webhooks' })).toBeNull();
    expect(server.called('GET /webhooks')).toEqual([]);
    unmount();
  }
});
