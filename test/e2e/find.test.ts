// Finding tasks in a real browser: the search field and its tokens, the counts, the palette, the order of the
// list, saved views, and loading on scroll.
import { describe, expect, test } from 'vitest';
import { inboxStage } from './inbox-stage.ts';

describe('finding', () => {
  const stage = inboxStage('find');
  const { push, row, call, rows, headings } = stage;
  const field = () => stage.page().getByRole('combobox', { name: 'Search' });
  const query = (name: string) => new URL(stage.page().url()).searchParams.get(name);

  test('looks at content, body, sender, tags and source; and says what was looked for when nothing matches', async () => {
    const page = stage.page();
    await push(
      {
        content: 'Heating is cold',
        metadata: { body: 'The boiler shows E4.', from: 'Marit <m@library.example>' },
      },
      { content: 'Parcel', tags: ['reception'], source: 'integration' },
    );
    for (const [typed, found] of [
      ['BOILER shows', 'Heating is cold'],
      ['library.example', 'Heating is cold'],
      ['recept', 'Parcel'],
      ['integrat', 'Parcel'],
    ] as const) {
      await page.keyboard.press('/');
      await field().fill(typed);
      await stage.until(`only what fits ${typed}`, async () => (await rows()).join() === found);
      await field().press('Escape');
      if ((await field().inputValue()) !== '') await field().press('Escape');
      await row('Parcel').waitFor();
      await row('Heating is cold').waitFor();
    }
    await field().fill('#reception source:email boiler');
    await page.getByText('No item contains “boiler”, has #reception and came from Email.').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    expect(query('q')).toBe('#reception source:email boiler');
    await page.getByRole('button', { name: 'Show all items' }).click();
    await row('Parcel').waitFor();
  });

  test('tokens are completed while they are typed, by keyboard alone, and combine', async () => {
    const page = stage.page();
    await push(
      { content: 'mine', tags: ['on call', 'ops'], priority: 'high' },
      { content: 'low', tags: ['on call'], priority: 'low' },
      { content: 'other', tags: ['billing'] },
    );
    await page.keyboard.press('/');
    await page.keyboard.type('#on');
    await page.getByRole('option', { name: '#on call 2' }).waitFor();
    // Half of a token filters nothing yet.
    await page.waitForTimeout(400);
    expect(await rows()).toHaveLength(3);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await field().inputValue()).toBe('#"on call" ');
    await row('other').waitFor({ state: 'detached' });
    await page.keyboard.type('priority:hi');
    await page.getByRole('option', { name: 'priority: High' }).click();
    await row('low').waitFor({ state: 'detached' });
    expect(await rows()).toEqual(['mine']);
    await page.keyboard.press('Enter');
    // The list has the focus, and its keys.
    await page.waitForFunction("document.activeElement?.matches('article')");
    await page.keyboard.press('Escape');
    await row('other').waitFor();
  });

  test('counts, tags and sources filter by a click, and by a second one no more', async () => {
    const page = stage.page();
    await push(
      { content: 'urgent', priority: 'high', tags: ['ops'] },
      { content: 'mail', source: 'integration', tags: ['ops'] },
      'plain',
    );
    const high = page.getByRole('button', { name: 'High priority: 1 item' });
    await high.click();
    await row('plain').waitFor({ state: 'detached' });
    expect([await rows(), await high.getAttribute('aria-pressed'), query('priority')]).toEqual([
      ['urgent'],
      'true',
      'high',
    ]);
    await high.click();
    await row('plain').waitFor();
    await row('mail').getByRole('button', { name: 'Only #ops' }).click();
    await row('plain').waitFor({ state: 'detached' });
    await row('mail').getByRole('button', { name: 'Only from Integration' }).click();
    await row('urgent').waitFor({ state: 'detached' });
    expect(query('q')).toBe('#ops source:integration');
  });

  test('the list is grouped by source and tag, sorted by priority and time left, and what arrives finds its place', async () => {
    const page = stage.page();
    await push(
      { content: 'a1', source: 'integration', tags: ['x'], expiryMinutes: 300 },
      { content: 'b1', source: 'email', tags: ['y'], priority: 'high' },
      { content: 'a2', source: 'integration', priority: 'low', expiryMinutes: 200 },
    );
    const arrange = async (name: string) => {
      await page.getByRole('button', { name: /^View:/ }).click();
      await page.getByRole('menuitemradio', { name }).click();
    };
    await arrange('Group by source');
    await stage.until('groups', async () => (await headings()).join() === 'Email,Integration');
    expect(await rows()).toEqual(['b1', 'a2', 'a1']);
    await call('POST', '/tasks', { content: 'b2', source: 'email' });
    await row('b2').waitFor();
    expect(await rows()).toEqual(['b2', 'b1', 'a2', 'a1']);
    await arrange('Group by tag');
    await stage.until('groups', async () => (await headings()).join() === '#x,#y,No tag');
    await arrange('Sort by priority');
    await stage.until('priorities', async () => (await rows()).join() === 'b1,b2,a1,a2');
    await arrange('Sort by time left');
    await stage.until('ends', async () => (await rows()).join() === 'a2,a1,b1,b2');
    expect(query('order')).toBe('expiry');
    await page.reload();
    await row('a1').waitFor();
    expect(await rows()).toEqual(['a2', 'a1', 'b1', 'b2']);
  });

  test('a view is saved with a name and a key, and is there on another device', async () => {
    const page = stage.page();
    await push({ content: 'billed', tags: ['billing'] }, 'plain');
    await page.goto(stage.url('/inbox?q=%23billing&order=priority'));
    await row('billed').waitFor();
    await page.keyboard.press('v');
    await page.getByRole('textbox', { name: 'Name' }).fill('Money');
    await page.getByRole('button', { name: 'Save View' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const other = await stage.another();
    await other.getByText('plain').waitFor();
    // The views have come.
    await other.waitForLoadState('networkidle');
    await other.keyboard.press('4');
    await other.getByText('plain').waitFor({ state: 'detached' });
    expect(new URL(other.url()).search).toBe('?q=%23billing&order=priority');
    await other.getByRole('button', { name: 'View: Money' }).waitFor();
    await other.context().close();
    await page.keyboard.press('v');
    await page.getByRole('button', { name: 'Delete Money' }).click();
    await page.getByRole('button', { name: 'Delete Money' }).waitFor({ state: 'detached' });
  });

  test('the palette finds tasks by what they say, and settings', async () => {
    const page = stage.page();
    await push('plain', { content: 'Heating', metadata: { body: 'boiler' } });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('boiler');
    await page.getByRole('option', { name: 'Heating' }).waitFor();
    await page.keyboard.press('Enter');
    await stage.panel().getByRole('heading', { name: 'Heating' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('appearance');
    await page
      .getByRole('option', { name: /^Appearance/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Appearance' }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/appearance');
  });

  test('a long list is loaded while it is scrolled, and the footer tells how much of it', async () => {
    const page = stage.page();
    for (let n = 0; n < 3; n++)
      await call('POST', '/tasks/batch', {
        tasks: Array.from({ length: 200 }, (_, i) => ({ content: `task ${n * 200 + i}` })),
      });
    await page.reload();
    await page.getByText('Showing 50 of 600 items').waitFor();
    let pressed = 0;
    while ((await page.getByText('Showing 600 of 600 items').count()) === 0 && pressed++ < 60) {
      await page.keyboard.press('End');
      await page.waitForTimeout(250);
    }
    await page.getByText('Showing 600 of 600 items').waitFor();
    expect(await page.getByRole('button', { name: 'Load More' }).count()).toBe(0);
    await page.keyboard.press('End');
    await page.getByRole('article', { name: 'Normal priority: task 0', exact: true }).waitFor();
  });
});
