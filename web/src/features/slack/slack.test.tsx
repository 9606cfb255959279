// Slack's card: linking by a code that counts down, unlinking after a question, channels for administrators
// alone.
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';

afterEach(() => void vi.useRealTimers());

const ann = { id: 'T1:U1', team: 'acme', user: 'ann', linked_at: '2026-11-20T08:05:00.000Z', fault: null };
const ops = { id: 'C0OPS', name: 'ops', owner: 'ops@example.com', tied_at: '2026-11-20T08:05:00.000Z' };

async function openCard(slack: Partial<FakeServer['slack']> = {}, server = new FakeServer()) {
  Object.assign(server.slack, { configured: true, mode: 'http' }, slack);
  const page = open('/admin/slack', { server });
  const card = within(await screen.findByRole('region', { name: 'Slack' }));
  return { ...page, server, card };
}

test('says how to set Slack up where it is not', async () => {
  const { card } = await openCard({ configured: false, mode: null });
  expect(await card.findByText('docs/adapters/slack.md')).toBeTruthy();
  expect(card.queryByRole('button')).toBeNull();
  await expectAccessible();
});

test('says of an account why nothing comes to it', async () => {
  const fault = 'Slack takes nothing from Qinbox in this workspace';
  const { card } = await openCard({ accounts: [ann, { ...ann, id: 'T2:U2', user: 'eve', fault }] });
  const items = await card.findAllByRole('listitem');
  expect(items.map((item) => within(item).queryByText(fault) !== null)).toEqual([false, true]);
  await expectAccessible();
});

test('is not there for guests and keys', async () => {
  for (const signedIn of [false, { apiKey: 'qi_1' }]) {
    const { unmount, server } = open('/admin', { signedIn });
    await screen.findByRole('heading', { name: 'Settings' });
    expect(server.called('GET /slack')).toEqual([]);
    expect(screen.queryByRole('region', { name: 'Slack' })).toBeNull();
    unmount();
  }
});

test('gives a code to type that counts down, notices that it was used, and says when it is over', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { user, server, card } = await openCard({ installUrl: 'https://q.example.com/slack/install' });
  expect((await card.findByRole('link', { name: 'Add to Slack' })).getAttribute('href')).toBe(
    'https://q.example.com/slack/install',
  );
  await user.click(card.getByRole('button', { name: 'Link my account' }));
  const code = within(await card.findByRole('region', { name: 'Link code' }));
  expect(code.getByText('/task link ABCD-EFG1')).toBeTruthy();
  expect(code.getByText(/^(10:00|9:5\d)$/)).toBeTruthy();
  expect(code.getByRole('button', { name: 'Copy command' })).toBeTruthy();
  await expectAccessible();

  vi.setSystemTime(Date.now() + 9.9 * 60_000);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(await code.findByText('This code is no longer good.')).toBeTruthy();
  await user.click(code.getByRole('button', { name: 'Get another code' }));
  expect(await card.findByText('/task link ABCD-EFG2')).toBeTruthy();
  server.slack.accounts = [ann];
  await act(() => vi.advanceTimersByTimeAsync(3000));
  const list = within(await card.findByRole('list', { name: 'Linked Slack accounts' }));
  expect(list.getByText('ann')).toBeTruthy();
  expect(await card.findByText(/^Your account is linked/)).toBeTruthy();
  expect(card.queryByRole('region', { name: 'Link code' })).toBeNull();
  expect(card.getByRole('button', { name: 'Link another account' })).toBeTruthy();
});

test('unlinks after a question', async () => {
  const { user, server, card } = await openCard({ accounts: [ann] });
  await user.click(await card.findByRole('button', { name: 'Unlink ann' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Unlink ann' }));
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  expect(card.getByText('ann')).toBeTruthy();
  await user.click(card.getByRole('button', { name: 'Unlink ann' }));
  await expectAccessible();
  await user.click(screen.getByRole('button', { name: 'Unlink' }));
  expect(await card.findByText('No account of yours is linked yet.')).toBeTruthy();
  expect(server.called(`DELETE /slack/accounts/${encodeURIComponent(ann.id)}`)).toHaveLength(1);
});

test('lets administrators tie and untie channels, and says which field was wrong', async () => {
  const server = new FakeServer();
  const { user, card } = await openCard({ channels: [ops] }, server);
  const channels = within(await card.findByRole('region', { name: 'Channels' }));
  expect(channels.getByText('#ops')).toBeTruthy();
  await user.click(channels.getByRole('button', { name: 'Untie #ops' }));
  await user.click(await screen.findByRole('button', { name: 'Untie' }));
  await waitFor(() => expect(channels.queryByText('#ops')).toBeNull());

  expect(channels.getByRole('button', { name: 'Tie channel' })).toHaveProperty('disabled', true);
  await user.type(channels.getByRole('textbox', { name: 'Channel id or link' }), 'C0NEW');
  await user.type(channels.getByRole('textbox', { name: 'Owner’s e-mail' }), 'me@example.com');
  const wrong = refusal(400, 'VALIDATION_ERROR', 'owner: must be somebody here');
  server.replies.set('POST /slack/channels', () => ({
    ...wrong,
    body: { ...(wrong.body as object), details: [{ field: 'owner', message: 'must be somebody here' }] },
  }));
  await user.click(channels.getByRole('button', { name: 'Tie channel' }));
  expect((await channels.findByRole('alert')).textContent).toBe('must be somebody here');
  await expectAccessible();
  server.replies.clear();
  await user.click(channels.getByRole('button', { name: 'Tie channel' }));
  expect(await channels.findByText('C0NEW')).toBeTruthy();
  expect(server.called('POST /slack/channels').at(-1)?.body).toEqual({
    channel: 'C0NEW',
    owner: 'me@example.com',
  });
});

test('has no place for channels where one is not an administrator, and says when something failed', async () => {
  const server = new FakeServer();
  server.replies.set('POST /slack/code', () => refusal(503, 'SERVICE_UNAVAILABLE', 'Not now.'));
  const { user, card } = await openCard({}, server);
  await user.click(await card.findByRole('button', { name: 'Link my account' }));
  expect((await card.findByRole('alert')).textContent).toContain('Not now.');
  expect(card.queryByRole('region', { name: 'Channels' })).toBeNull();
});
