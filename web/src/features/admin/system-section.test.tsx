import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Rejected } from '#core/contract/index.ts';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { anOverview, aUser } from '../../../test/tasks.ts';

afterEach(() => void vi.useRealTimers());

const REJECTED: Rejected = {
  id: 'rej_1',
  adapter: 'webhook',
  owner: 'me@example.com',
  content: 'Pump <b>failed</b>',
  tasks: 2,
  code: 'SERVICE_UNAVAILABLE',
  reason: 'The store did not answer.',
  attempts: 5,
  submittedAt: '2026-11-21T08:00:00',
  rejectedAt: '2026-11-21T08:05:00',
  requestId: 'req_1',
};

async function openSystem(rejected: Rejected[] = [], queue = anOverview.queue) {
  const server = new FakeServer();
  server.replies.set('GET /admin/overview', () => ({
    status: 200,
    body: { success: true, overview: { ...anOverview, queue, rejected: rejected.length } },
  }));
  server.replies.set('GET /admin/rejected', () => ({ status: 200, body: { success: true, rejected } }));
  const page = open('/admin/system', { server, as: { ...aUser, is_admin: true } });
  await screen.findByText('Created, last minute');
  return { ...page, server };
}
const panel = (name: string) => within(screen.getByRole('region', { name }));

describe('the system page', () => {
  test('shows throughput, parts, queue depth and what was rejected, and passes axe', async () => {
    await openSystem();
    for (const [name, value] of [
      ['Created, last minute', '7'],
      ['Created, last hour', '431'],
      ['Waiting in the queue', '12'],
      ['Rejected, last 24 h', '0'],
      ['Live connections', '3'],
    ])
      expect(screen.getByText(name as string).parentElement?.textContent).toBe(`${name}${value}`);
    const parts = panel('Parts').getAllByRole('listitem');
    expect(parts.map((each) => each.textContent)).toEqual([
      'storeWorks',
      'queueRedis does not answerDoes not answer',
    ]);
    expect(panel('Queue').getAllByRole('row').at(-1)?.textContent).toBe('webhook1221.5 s');
    const processes = panel('Processes').getAllByRole('row').slice(1);
    expect(processes.map((each) => each.querySelectorAll('td,th').length)).toEqual([6, 6]);
    expect(processes[1]?.textContent).toMatch(/^two-9worker0\.1\.0.*031$/);
    expect(panel('Rejected submissions').getByText('None in the last 24 hours.')).toBeTruthy();
    expect(panel('Queue').queryByText(/does not answer/)).toBeNull();
    await expectAccessible();
  });

  test('says of which adapters more may wait than it shows', async () => {
    const one = { adapter: 'webhook', waiting: 12, active: 2, oldestMs: 1500, unanswered: 3 };
    await openSystem([], [one, { ...one, adapter: 'smtp', unanswered: 0 }]);
    expect(panel('Queue').getByText(/does not answer/).textContent).toBe(
      'Part of the queue does not answer: more may wait from webhook.',
    );
    await expectAccessible();
  });

  test('refreshes itself every 5 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { server } = await openSystem();
    const before = server.called('GET /admin/overview').length;
    await act(() => vi.advanceTimersByTimeAsync(5000));
    await waitFor(() => expect(server.called('GET /admin/overview').length).toBeGreaterThan(before));
  });

  test('keeps what it showed when it cannot be refreshed, and says so', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { server } = await openSystem();
    server.replies.set('GET /admin/overview', () => refusal(503, 'SERVICE_UNAVAILABLE', 'Not now.'));
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect((await screen.findByRole('alert')).textContent).toContain('Not now.');
    expect(screen.getByText('431')).toBeTruthy();
  });

  test('is reached from the user menu, by administrators only', async () => {
    const { user } = open('/admin', { as: { ...aUser, is_admin: true } });
    await user.click(screen.getByRole('button', { name: /User menu/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'System' }));
    expect(await screen.findByRole('heading', { name: 'System' })).toBeTruthy();
    expect(location.pathname).toBe('/admin/system');
  });
});

describe('a rejected submission', () => {
  test('is shown as text with its reason, and is submitted again', async () => {
    const { server, user } = await openSystem([REJECTED]);
    const item = within(await panel('Rejected submissions').findByRole('listitem'));
    expect(item.getByText('Pump <b>failed</b> and 1 more')).toBeTruthy();
    expect(item.getByText(/The store did not answer/).textContent).toContain('SERVICE_UNAVAILABLE');
    await user.click(item.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(server.called('POST /admin/rejected/rej_1/retry')).toHaveLength(1));
    await screen.findByText('Submitted again');
    await waitFor(() => expect(server.called('GET /admin/rejected').length).toBeGreaterThan(1));
  });

  test('is discarded only after a question; a refusal is shown', async () => {
    const { server, user } = await openSystem([REJECTED]);
    server.replies.set('DELETE /admin/rejected/rej_1', () =>
      refusal(404, 'NOT_FOUND', 'It is gone already.'),
    );
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    const question = within(await screen.findByRole('alertdialog', { name: 'Discard this submission' }));
    expect(server.called('DELETE /admin/rejected/rej_1')).toEqual([]);
    await expectAccessible();
    await user.click(question.getByRole('button', { name: 'Discard' }));
    expect((await screen.findByRole('alert')).textContent).toContain('It is gone already.');
    expect(server.called('DELETE /admin/rejected/rej_1')).toHaveLength(1);
  });
});
