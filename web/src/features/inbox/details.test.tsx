import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { FakeServer } from '../../../test/fake-server.ts';
import { expectAccessible, open } from '../../../test/screen.tsx';
import { aTask } from '../../../test/tasks.ts';
import { detailsOf, hasMore } from './model/metadata-details.ts';

const MAIL = aTask({
  content: 'Invoice <i>4711</i>',
  source: 'email',
  occurrences: 2,
  metadata: {
    from: 'Ann <ann@example.com>',
    body: 'Dear all,\n<script>alert(1)</script> see https://a.example/4711',
    verdicts: { spf: 'pass', dkim: 'fail' },
    payload: { amount: 12, nested: { '<b>': true } },
    url: 'https://a.example/4711',
    resolvedAt: '2026-11-21T09:05:00',
    attachments: ['bill.pdf, application/pdf, 12 kB'],
  },
});

async function openWithMail() {
  const server = new FakeServer();
  server.tasks = [MAIL, aTask({ content: 'plain' })];
  const page = open('/inbox', { server });
  const row = within(await screen.findByRole('article', { name: /Invoice/ }));
  return { ...page, row };
}

describe('what came with a task', () => {
  test('is read in a sheet, none of it as markup, and passes axe', async () => {
    const { user, row } = await openWithMail();
    await user.click(row.getByText(/^Invoice/));
    const dialog = within(await screen.findByRole('dialog', { name: 'Details' }));
    expect(dialog.getByText('Invoice <i>4711</i>')).toBeTruthy();
    expect(dialog.getByText(/<script>alert\(1\)<\/script>/)).toBeTruthy();
    expect(document.querySelector('[role=dialog] script, [role=dialog] i')).toBeNull();
    const facts = dialog
      .getAllByRole('term')
      .map((term) => `${term.textContent}: ${term.nextSibling?.textContent}`);
    for (const fact of [
      'Source: Email',
      'From: Ann <ann@example.com>',
      'spf: pass',
      'dkim: fail',
      'Resolved: Nov 21, 2026, 09:05 AM',
    ])
      expect(facts).toContain(fact);
    expect(dialog.getByText(/"amount": 12/).textContent).toContain('"<b>": true');
    expect(dialog.getByText(/^attachments:/)).toBeTruthy();
    const link = dialog.getByRole('link', { name: 'Open link' });
    expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
      'https://a.example/4711',
      'noopener noreferrer',
    ]);
    await expectAccessible();
  });

  test.each([
    ['# Incident 4711\nPayments **fail**.', 'Incident 4711'],
    ['#4711 is late', '#4711 is late'],
  ])('of %j the title is %j', async (content, title) => {
    const server = new FakeServer();
    server.tasks = [aTask({ content })];
    const { user } = open('/inbox', { server });
    await user.click(await screen.findByText(/4711/));
    const dialog = within(await screen.findByRole('dialog', { name: 'Details' }));
    expect(dialog.getByRole('heading', { level: 2 }).textContent).toBe(title);
  });

  test('is a key away, and from there it is acknowledged or edited', async () => {
    const { user } = await openWithMail();
    await user.keyboard('ji');
    await user.click(
      within(await screen.findByRole('dialog', { name: 'Details' })).getByRole('button', { name: /^Edit/ }),
    );
    await screen.findByRole('dialog', { name: 'Edit Item' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.keyboard('i');
    const dialog = within(await screen.findByRole('dialog', { name: 'Details' }));
    await user.click(dialog.getByRole('button', { name: /^Acknowledge/ }));
    await waitFor(() => expect(screen.queryByRole('article', { name: /Invoice/ })).toBeNull());
  });

  test('shows on the row as far as it matters there: resolved, repeated, linked, more to read', async () => {
    const { row } = await openWithMail();
    expect(row.getByText('Resolved')).toBeTruthy();
    expect(row.getByText('×2')).toBeTruthy();
    expect(row.getByRole('link', { name: 'Open link' }).getAttribute('href')).toBe('https://a.example/4711');
    const plain = within(screen.getByRole('article', { name: /plain/ }));
    expect(plain.queryByText(', more to read')).toBeNull();
    expect(row.getByText(', more to read')).toBeTruthy();
    expect(plain.queryByText('Resolved')).toBeNull();
  });
});

test('the menu of a row has all that can be done with it, with its keys', async () => {
  const { user, row } = await openWithMail();
  await user.click(row.getByRole('button', { name: /^More actions/ }));
  await screen.findByRole('menu', { name: 'More actions' });
  expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
    'Acknowledgee',
    'Pinp',
    'EditShiftE',
    'OpenEnter',
    'Snoozeh',
    'Keep 24 h more',
    'Tagst',
    'Selectx',
  ]);
  await user.click(screen.getByRole('menuitem', { name: /Open/ }));
  expect(await screen.findByRole('dialog', { name: 'Details' })).toBeTruthy();
});

describe('metadata', () => {
  test.each([
    [{}, false],
    [{ createdVia: 'web-interface', url: 'https://a.example' }, false],
    [{ body: 'x' }, true],
    [{ payload: 0 }, true],
    [{ verdicts: null, from: '' }, false],
  ])('%j has more to read: %s', (metadata, more) => {
    expect(hasMore({ metadata })).toBe(more);
  });

  test('that is nonsense is shown as text or not at all, and an address that is none is no link', () => {
    const { url, resolvedAt, verdicts, others } = detailsOf({
      metadata: {
        url: 'javascript:alert(1)',
        resolvedAt: 'soon',
        verdicts: 'spf=pass',
        odd: [1, null],
        none: null,
      },
    });
    expect([url, resolvedAt]).toEqual([null, null]);
    expect(verdicts).toEqual([['verdicts', 'spf=pass']]);
    expect(others).toEqual([
      ['url', 'javascript:alert(1)'],
      ['odd', JSON.stringify([1, null], null, 2)],
    ]);
  });
});
