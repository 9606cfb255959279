import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { AccountImport } from '#core/contract/index.ts';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { describeCounts } from './model/account-kinds.ts';

const NONE = {
  intakes: 0,
  webhooks: 0,
  views: 0,
  pushRules: 0,
  escalations: 0,
  digest: 0,
  keys: 0,
  tasks: 0,
};
const card = async (name: string) => within(await screen.findByRole('region', { name }));
const answer = (body: object) => () => ({ status: 200, body: { success: true, ...body } });
const overviewOf = (obstacle: string | null) =>
  answer({
    account: { email: 'ada@example.com', counts: { ...NONE, tasks: 2, intakes: 1 }, devices: 0, obstacle },
  });

const outcome = (dryRun: boolean): AccountImport => ({
  dryRun,
  taken: { ...NONE, tasks: 3, webhooks: 1 },
  there: { ...NONE, views: 1 },
  leftOut: { ...NONE, keys: 1 },
  reasons: [{ kind: 'keys', name: 'cron', count: 1, reason: 'A key is in no file.' }],
  toDo: [{ kind: 'webhooks', name: 'Bot', what: 'It is switched off.' }],
});

async function choose(user: ReturnType<typeof open>['user'], text: string) {
  const own = await card('Backup and move');
  await user.upload(own.getByLabelText('File of an account'), new File([text], 'mine.json'));
  return own;
}

test('an account is exported as a file with the day in its name', async () => {
  const server = new FakeServer();
  const file = { qinbox: 'account', exportedAt: '2026-11-21T09:00:00.000Z', tasks: [] };
  server.replies.set('GET /account/export', () => ({ status: 200, body: file }));
  const made = vi.fn<() => string>(() => 'blob:x');
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: made, revokeObjectURL: vi.fn<() => void>() }));
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const { user } = open('/admin', { server });
  await user.click((await card('Backup and move')).getByRole('button', { name: 'Export' }));
  await waitFor(() => expect(clicked).toHaveBeenCalledTimes(1));
  const [link] = clicked.mock.contexts as HTMLAnchorElement[];
  expect(link?.download).toBe('qinbox-account-2026-11-21.json');
  expect(made).toHaveBeenCalledTimes(1);
});

test('a file is taken in after it was shown what it would do', async () => {
  const server = new FakeServer();
  server.replies.set('POST /account/import', ({ query }) => ({
    status: 200,
    body: { success: true, import: outcome(query.get('dryRun') === 'true') },
  }));
  const { user } = open('/admin', { server });
  await choose(user, '{"qinbox":"account"}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Import this file?' }));
  dialog.getByText('3 tasks and 1 webhook');
  dialog.getByText('Webhook Bot');
  await expectAccessible();
  await user.click(dialog.getByRole('button', { name: 'Import' }));
  await within(await screen.findByRole('dialog', { name: 'Imported' })).findByText('Taken in');
  expect(server.called('POST /account/import').map(({ query }) => query.get('dryRun'))).toEqual([
    'true',
    'false',
  ]);
});

test.each([
  ['is none of an account', '{"qinbox":"export"}', 'This is no file of an account'],
  ['is no JSON', 'hello', 'This is no file of an account'],
  ['the server refuses', '{"qinbox":"account"}', 'counts/tasks: says 3'],
])('a file that %s is refused in words', async (_, text, sentence) => {
  const server = new FakeServer();
  server.replies.set('POST /account/import', () => refusal(400, 'VALIDATION_ERROR', 'counts/tasks: says 3'));
  const { user } = open('/admin', { server });
  const own = await choose(user, text);
  expect((await own.findByRole('alert')).textContent).toContain(sentence);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an account is deleted once its address was typed, and this browser is signed out', async () => {
  const server = new FakeServer();
  server.replies.set('GET /account', overviewOf(null));
  server.replies.set('DELETE /account', answer({}));
  const { user } = open('/admin', { server });
  await user.click((await card('Delete my account')).getByRole('button'));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete my account' }));
  dialog.getByText(/^2 tasks and 1 intake of ada@example.com will be removed/);
  const button = dialog.getByRole('button', { name: 'Delete my account' });
  expect(button).toHaveProperty('disabled', true);
  await expectAccessible();
  await user.type(dialog.getByLabelText('Type ada@example.com to confirm'), 'ada@example.com');
  await user.click(button);
  await screen.findByRole('region', { name: 'You are not signed in' });
  expect(server.called('DELETE /account').map(({ body }) => body)).toEqual([{ confirm: 'ada@example.com' }]);
  expect(localStorage.getItem('accessToken')).toBeNull();
});

test('the last administrator names another one; the owner of the public queue is told what to do', async () => {
  const server = new FakeServer();
  server.replies.set('GET /account', overviewOf('last-administrator'));
  server.replies.set('DELETE /account', () =>
    refusal(400, 'VALIDATION_ERROR', 'administrator: must be another'),
  );
  const { user } = open('/admin', { server });
  const ask = async () => user.click((await card('Delete my account')).getByRole('button'));
  await ask();
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete my account' }));
  await user.type(dialog.getByLabelText('Type ada@example.com to confirm'), 'ada@example.com');
  expect(dialog.getByRole('button', { name: 'Delete my account' })).toHaveProperty('disabled', true);
  await user.type(dialog.getByLabelText('New administrator'), 'bob@example.com');
  await user.click(dialog.getByRole('button', { name: 'Delete my account' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('administrator: must be another');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

  server.replies.set('GET /account', overviewOf('guest-queue'));
  await ask();
  await screen.findByText(/The operator must name another one in GUEST_QUEUE/);
});

test('counts are said in words', () => {
  expect([describeCounts(NONE), describeCounts({ ...NONE, tasks: 1 })]).toEqual([null, '1 task']);
  expect(describeCounts({ ...NONE, tasks: 1200, intakes: 1, digest: 1 })).toBe(
    '1,200 tasks, 1 intake and 1 digest',
  );
});
