import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { expectAccessible, open, wholeInbox } from '../../test/screen.tsx';
import { aTask, aUser } from '../../test/tasks.ts';
import { FakeServer } from '../../test/fake-server.ts';
import { findCommands } from '../lib/find-commands.ts';

const options = () => screen.getAllByRole('option').map((option) => option.textContent);
const palette = () => screen.findByRole('dialog', { name: 'Command palette' });

describe('the command palette', () => {
  test.each(['/', '/inbox', '/admin', '/admin/system', '/api-docs', '/nowhere'])(
    'opens on %s by Ctrl K',
    async (path) => {
      const { user } = open(path, { signedIn: path !== '/', as: { ...aUser, is_admin: true } });
      await user.keyboard('{Control>}k{/Control}');
      await palette();
      expect(options()).toEqual(expect.arrayContaining(['Settings', 'API documentation', 'Theme: dark']));
    },
  );

  test('is worked by keyboard: typed words filter, arrows choose, Enter does it; and passes axe', async () => {
    const { user } = open('/admin');
    await screen.findByRole('heading', { name: 'Settings' });
    await user.keyboard('{Control>}k{/Control}');
    await palette();
    await expectAccessible();
    const field = screen.getByRole('combobox', { name: 'Command' });
    expect(document.activeElement).toBe(field);
    await user.keyboard('rows');
    expect(options()).toEqual(['Rows: compactAppearance']);
    await user.clear(field);
    await user.keyboard('go');
    const chosen = () =>
      document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent;
    expect(chosen()).toBe('InboxGo to');
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(chosen()).toBe('API documentationGo to');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(location.pathname).toBe('/api-docs'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('leaves the Enter that ends a composition in Safari, which comes after its end', async () => {
    const { user } = open('/admin');
    await user.keyboard('{Control>}k{/Control}');
    await palette();
    await user.keyboard('go');
    const field = screen.getByRole('combobox', { name: 'Command' });
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 229, isComposing: false });
    expect([document.activeElement, location.pathname]).toEqual([field, '/admin']);
    fireEvent.keyDown(field, { key: 'Enter', keyCode: 13, isComposing: false });
    await waitFor(() => expect(location.pathname).toBe('/inbox'));
  });

  test('says when nothing fits', async () => {
    const { user } = open('/admin');
    await user.keyboard('{Control>}k{/Control}');
    await palette();
    await user.keyboard('xyzzy{Enter}');
    expect(screen.getByText('Nothing here is called that.')).toBeTruthy();
  });

  test('has what the inbox can do, with its keys, and does it to the row that was chosen', async () => {
    const server = new FakeServer();
    server.tasks = [aTask({ content: 'first' }), aTask({ content: 'second' })];
    const { user } = open('/inbox', { server });
    await screen.findByRole('article', { name: /second/ });
    await wholeInbox();
    await user.keyboard('jj{Control>}k{/Control}');
    const dialog = within(await palette());
    const [first] = dialog.getAllByRole('option');
    expect(first?.textContent).toBe('Acknowledgee');
    for (const name of [
      'Pinp',
      'EditShiftE',
      'Add Itemc',
      'Search/',
      'Undoz',
      'Refresh.',
      'Keyboard shortcuts?',
    ])
      expect(options()).toContain(name);
    await user.keyboard('ackn{Enter}');
    await waitFor(() => expect(screen.queryByRole('article', { name: /second/ })).toBeNull());
    expect(screen.getByRole('article', { name: /first/ })).toBeTruthy();
  });

  test('stays away while a dialog is open', async () => {
    const { user } = open('/admin', { signedIn: false });
    window.dispatchEvent(new Event('auth:required'));
    await screen.findByRole('dialog', { name: 'Sign In to Qinbox' });
    await user.keyboard('{Control>}k{/Control}');
    expect(screen.queryByRole('dialog', { name: 'Command palette' })).toBeNull();
  });
});

test('commands are found by all typed words, those that begin with them first', () => {
  const command = (label: string, words = '') => ({ id: label, label, group: 'Go to', words, run: () => {} });
  const all = [command('API documentation', 'curl'), command('Inbox', 'documentation'), command('Settings')];
  expect(findCommands(all, 'DOC').map(({ label }) => label)).toEqual(['API documentation', 'Inbox']);
  expect(findCommands(all, 'go sett').map(({ label }) => label)).toEqual(['Settings']);
  expect(findCommands(all, ' ')).toEqual(all);
});
