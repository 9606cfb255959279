import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { expectAccessible, open, wholeInbox } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';

const row = (text: string) => screen.findByRole('article', { name: new RegExp(text) });

/** Four rows: alpha and beta selected, the cursor on gamma, beta pinned or not. */
async function openSelected({ pinned = false, count = 2 } = {}) {
  const server = new FakeServer();
  server.tasks = ['alpha', 'beta', 'gamma', 'delta'].map((content) =>
    aTask({ id: `task_${content}`, content, pinned: pinned && content === 'alpha' }),
  );
  const page = open('/inbox', { server });
  await row('alpha');
  await wholeInbox();
  await page.user.keyboard('jx'.repeat(count));
  await page.user.keyboard('j');
  expect(screen.getByRole('group', { name: 'Selected items' }).textContent).toContain(`${count} selected`);
  return page;
}

/** Of one task by its own call, of several by one call for all. */
const pins = (server: FakeServer) =>
  server.calls
    .flatMap(({ path, method, body }) => {
      if (path.endsWith('/pin')) return [{ id: path.split('/')[2] ?? '', pinned: body['pinned'] }];
      return method === 'PATCH' && path === '/tasks'
        ? (body['tasks'] as { id: string; pinned: unknown }[])
        : [];
    })
    .filter(({ pinned }) => pinned !== undefined)
    .map(({ id, pinned }) => `${id.slice('task_'.length)} ${String(pinned)}`)
    .toSorted();

describe('with a selection', () => {
  test('p pins all of it, and one undo takes all of that back', async () => {
    const { server, user } = await openSelected();
    await user.keyboard('p');
    await waitFor(() => expect(pins(server)).toEqual(['alpha true', 'beta true']));
    await screen.findByText('Pinned 2 items');
    expect(within(await row('gamma')).getByRole('button', { name: /^Pin/ })).toBeTruthy();
    await waitFor(() => expect(server.tasks.filter(({ pinned }) => pinned)).toHaveLength(2));
    await user.keyboard('z');
    await waitFor(() => expect(server.tasks.filter(({ pinned }) => pinned)).toHaveLength(0));
    expect(pins(server)).toEqual(['alpha false', 'alpha true', 'beta false', 'beta true']);
    expect(server.called('PATCH /tasks')).toHaveLength(2);
  });

  test('p pins those that are not, and unpins when all are', async () => {
    const { server, user } = await openSelected({ pinned: true });
    await user.keyboard('p');
    await waitFor(() => expect(pins(server)).toEqual(['beta true']));
    await waitFor(() => expect(server.tasks.filter(({ pinned }) => pinned)).toHaveLength(2));
    await user.keyboard('p');
    await waitFor(() => expect(server.tasks.filter(({ pinned }) => pinned)).toHaveLength(0));
    // Only what it did itself is taken back.
    await user.keyboard('zz');
    await waitFor(() =>
      expect(server.tasks.filter(({ pinned }) => pinned).map(({ content }) => content)).toEqual(['alpha']),
    );
  });

  test('undo goes back step by step, whatever each was, past what the server had refused', async () => {
    const { server, user } = await openSelected();
    await user.keyboard('p');
    await waitFor(() => expect(server.tasks.filter(({ pinned }) => pinned)).toHaveLength(2));
    server.replies.set('POST /tasks/acknowledge', () => refusal(503, 'SERVICE_UNAVAILABLE', 'Full.'));
    await user.keyboard('e');
    await screen.findByText('Full.');
    await row('alpha');
    await user.keyboard('z');
    await waitFor(() => expect(server.tasks.filter(({ pinned }) => pinned)).toHaveLength(0));
    expect(server.called('POST /tasks/restore')).toEqual([]);
  });

  test('Shift E edits the one that is selected, and says so when it is not one', async () => {
    const { user } = await openSelected();
    await user.keyboard('E');
    await screen.findByText('One item at a time can be edited');
    expect(screen.queryByRole('dialog', { name: 'Edit Item' })).toBeNull();
    await user.keyboard('{Escape}kkxE');
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Item' }));
    expect(dialog.getByLabelText('Message')).toHaveProperty('value', 'alpha');
  });

  test('its bar does all of that, says of how many, and passes axe', async () => {
    const { server, user } = await openSelected({ count: 3 });
    const bar = within(screen.getByRole('group', { name: 'Selected items' }));
    await expectAccessible();
    await user.click(bar.getByRole('button', { name: 'Keep 3 items 24 h more' }));
    await waitFor(() => expect(server.called('PATCH /tasks')).toHaveLength(1));
    expect(server.called('PATCH /tasks')[0]?.body['tasks']).toHaveLength(3);
    await user.click(bar.getByRole('button', { name: 'Pin 3 items' }));
    await waitFor(() => expect(pins(server)).toHaveLength(3));
    await user.click(await bar.findByRole('button', { name: 'Unpin 3 items' }));
    await waitFor(() => expect(pins(server)).toHaveLength(6));
    await user.click(bar.getByRole('button', { name: /^Acknowledge/ }));
    await waitFor(() => expect(server.tasks.map(({ content }) => content)).toEqual(['delta']));
  });

  test('the palette and the menu of a selected row say of how many; that of another row is about that one', async () => {
    const { server, user } = await openSelected();
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('dialog', { name: 'Command palette' });
    const options = screen.getAllByRole('option').map(({ textContent }) => textContent);
    expect(options.slice(0, 9)).toEqual([
      'Acknowledge 2 itemse',
      'Pin 2 itemsp',
      'Snooze 2 itemsh',
      'Keep 2 items 24 h more',
      'Tags of 2 itemst',
      'High priority for 2 items',
      'Normal priority for 2 items',
      'Low priority for 2 items',
      'Clear selectionEsc',
    ]);
    await user.keyboard('pin 2{Enter}');
    await waitFor(() => expect(pins(server)).toHaveLength(2));

    const menuOf = async (text: string) => {
      await user.click(within(await row(text)).getByRole('button', { name: /^More actions/ }));
      await screen.findByRole('menu', { name: 'More actions' });
      return screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    };
    expect(await menuOf('gamma')).toContain('Acknowledgee');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
    const entries = await menuOf('beta');
    for (const label of ['Acknowledge 2 itemse', 'Unpin 2 itemsp', 'Keep 2 items 24 h more'])
      expect(entries).toContain(label);
    await user.click(screen.getByRole('menuitem', { name: /^Acknowledge/ }));
    await waitFor(() => expect(server.tasks.map(({ content }) => content)).toEqual(['gamma', 'delta']));
    expect(server.called('POST /tasks/acknowledge')).toHaveLength(1);
  });
});
