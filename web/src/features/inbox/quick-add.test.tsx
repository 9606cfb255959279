import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { FakeServer, refusal } from '../../../test/fake-server.ts';
import { expectAccessible, open, wholeInbox } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';

const dialog = async (name = 'Add New Item') => within(await screen.findByRole('dialog', { name }));
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

async function openAdd(server = new FakeServer()) {
  server.tasks = [aTask({ content: 'there', tags: ['ops'] })];
  const page = open('/inbox', { server });
  await screen.findByRole('article', { name: /there/ });
  await wholeInbox();
  await page.user.keyboard('c');
  const form = await dialog();
  const message = form.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  const chips = () => form.queryAllByRole('listitem').map((chip) => chip.textContent);
  const sent = () => server.called('POST /tasks').map(({ body }) => body);
  return { ...page, form, message, chips, sent };
}

describe('the message of a new item', () => {
  test('says tags, priority and lifetime, shows them as it is typed, and is saved without them', async () => {
    const { user, form, chips, sent } = await openAdd();
    expect(form.getByText(/set tags, priority and time/)).toBeTruthy();
    await user.keyboard('Pay rent #home !high ~2h');
    expect(chips()).toEqual(['#home', 'High', '2 h']);
    expect(form.getByRole<HTMLInputElement>('radio', { name: 'High' }).checked).toBe(true);
    expect(form.getByRole<HTMLSelectElement>('combobox', { name: 'Time' }).selectedOptions[0]?.label).toBe(
      '2 h',
    );
    await expectAccessible();
    await user.type(form.getByRole('textbox', { name: 'Tags' }), 'money, home');
    await user.click(form.getByRole('button', { name: 'Add Item' }));
    await closed();
    expect(sent()).toEqual([
      {
        content: 'Pay rent',
        priority: 'high',
        tags: ['money', 'home'],
        expiryMinutes: 120,
        source: 'web',
        metadata: { createdVia: 'web-interface' },
      },
    ]);
  });

  test('tells a screen reader of each mark once its word is finished', async () => {
    const { user, form } = await openAdd();
    const told = () => form.getAllByRole('status').map((status) => status.textContent);
    await user.keyboard('fix #op');
    expect(told()).not.toContain('Recognised: tag op');
    await user.keyboard('s ~1w now');
    expect(told()).toContain('Recognised: tag ops, time 7 days');
  });

  test('keeps what is made plain text again, also over a reload, until it is taken out', async () => {
    const { user, form, message, chips, sent, unmount, server } = await openAdd();
    await user.keyboard('see #ops !high');
    await user.click(form.getByRole('button', { name: '#ops: leave #ops in the message' }));
    expect(chips()).toEqual(['High']);
    expect(document.activeElement).toBe(message);
    await user.keyboard('{Escape}');
    await closed();
    unmount();
    const again = open('/inbox', { server, reopened: true });
    await screen.findByRole('article', { name: /there/ });
    await again.user.keyboard('c');
    const later = await dialog();
    expect(later.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' }).value).toBe('see #ops !high');
    expect(later.getAllByRole('listitem').map((chip) => chip.textContent)).toEqual(['High']);
    await again.user.keyboard('{Control>}{Enter}{/Control}');
    await closed();
    expect(sent()).toMatchObject([{ content: 'see #ops', priority: 'high', tags: [] }]);
  });

  test('leaves the focus to the page where nothing had it before', async () => {
    const { user } = await openAdd();
    await user.keyboard('{Escape}');
    await closed();
    expect(document.activeElement).toBe(document.body);
  });

  test('gives way to what is chosen in the fields afterwards', async () => {
    const { user, form, message, sent } = await openAdd();
    await user.keyboard('go !high ~2h on');
    await user.click(form.getByRole('radio', { name: 'Low' }));
    await user.selectOptions(form.getByRole('combobox', { name: 'Time' }), '4 h');
    expect(message.value).toBe('go on');
    await user.click(form.getByRole('button', { name: 'Add Item' }));
    await closed();
    expect(sent()).toMatchObject([{ content: 'go on', priority: 'low', expiryMinutes: 240 }]);
  });

  test('is required beside its marks', async () => {
    const { user, form, sent } = await openAdd();
    // With a character that nobody sees, as comes along from a copied text.
    await user.keyboard('#ops !high \u200B');
    expect(form.getByRole<HTMLButtonElement>('button', { name: 'Add Item' }).disabled).toBe(true);
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect((await form.findByRole('alert')).textContent).toBe('Message is required');
    expect(sent()).toEqual([]);
  });

  test('of an item that is there says nothing but itself', async () => {
    const { user, server } = await openAdd();
    await user.keyboard('{Escape}');
    await closed();
    await user.keyboard('jE');
    const form = await dialog('Edit Item');
    expect(form.queryByRole('combobox', { name: 'Time' })).toBeNull();
    expect(form.queryByRole('checkbox', { name: 'Pin' })).toBeNull();
    await user.type(form.getByRole('textbox', { name: 'Message' }), ' !high');
    await user.click(form.getByRole('button', { name: 'Save Changes' }));
    await closed();
    const [edit] = server.calls.filter(({ method }) => method === 'PUT');
    expect(edit?.body).toEqual({ content: 'there !high' });
  });
});

describe('a new item', () => {
  test('is pinned and has its lifetime in the one call that creates it', async () => {
    const { user, form, sent } = await openAdd();
    await user.keyboard('stay');
    await user.click(form.getByRole('checkbox', { name: 'Pin' }));
    await user.selectOptions(form.getByRole('combobox', { name: 'Time' }), '3 days');
    await user.click(form.getByRole('button', { name: 'Add Item' }));
    await closed();
    expect(sent()).toMatchObject([{ content: 'stay', pinned: true, expiryMinutes: 4320 }]);
    expect(await screen.findByRole('article', { name: /stay/ })).toBeTruthy();
  });

  test('lives for 24 hours and is not pinned where nothing is chosen: the call says neither', async () => {
    const { user, sent } = await openAdd();
    await user.keyboard('usual{Control>}{Enter}{/Control}');
    await closed();
    expect(Object.keys(sent()[0] ?? {}).toSorted()).toEqual([
      'content',
      'metadata',
      'priority',
      'source',
      'tags',
    ]);
  });

  test('that is refused stays in the form as it was typed, with its options', async () => {
    const server = new FakeServer();
    server.replies.set('POST /tasks', () => refusal(400, 'VALIDATION_ERROR', 'content: too long'));
    const { user, form, message } = await openAdd(server);
    await user.keyboard('long #ops');
    await user.click(form.getByRole('checkbox', { name: 'Pin' }));
    await user.click(form.getByRole('button', { name: 'Add Item' }));
    await screen.findByText(/too long/);
    expect(message.value).toBe('long #ops');
    expect(form.getByRole<HTMLInputElement>('checkbox', { name: 'Pin' }).checked).toBe(true);
  });
});
