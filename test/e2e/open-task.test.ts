// Opening a task in a real browser: beside the list, by keyboard, by its address, and what it says.
import { describe, expect, test } from 'vitest';
import { inboxStage } from './inbox-stage.ts';

const BODY = `Hello **team**,

- first \`pump --status\`
- second, see [the log](https://ci.example.com/7) or [this](javascript:alert(1))

<img src="https://tracker.example/x.png"> <b>bold?</b>
![pixel](https://tracker.example/y.png)

Regards
---
Marit`;

describe('an open task', () => {
  const stage = inboxStage('open-task');
  const { push, panel, row, call } = stage;
  const inAddress = () => new URL(stage.page().url()).searchParams.get('task');

  test('stands beside the list, is read without markup or pictures from outside, and Esc leaves the focus on its row', async () => {
    const page = stage.page();
    const outside: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(stage.url('/'))) outside.push(request.url());
    });
    await push('other', {
      content: 'Pump 7 stopped\nIt was the *third* time.',
      priority: 'high',
      metadata: { body: BODY, from: 'Marit <marit@example.com>', payload: { rpm: 0 } },
    });
    await row('Pump 7').click();
    await panel().getByRole('heading', { name: 'Pump 7 stopped' }).waitFor();
    expect(await panel().locator('em').innerText()).toBe('third');
    expect(await panel().locator('strong').innerText()).toBe('team');
    expect(await panel().locator('li code').innerText()).toBe('pump --status');
    const links = await page.evaluate(
      `[...document.querySelectorAll('[data-task-panel] :is(p, li) a')].map((a) => a.getAttribute('href'))`,
    );
    expect(links).toEqual([
      'https://ci.example.com/7',
      'https://tracker.example/x.png',
      'https://tracker.example/y.png',
    ]);
    expect(await panel().locator('img, b, script').count()).toBe(0);
    expect(await panel().innerText()).toContain('<b>bold?</b>');
    expect(outside).toEqual([]);
    await panel().getByText('Payload').click();
    await panel().getByText('"rpm": 0').waitFor();
    // The list has moved aside and not under it.
    const list = await page.getByRole('list', { name: 'Tasks' }).boundingBox();
    const beside = await panel().boundingBox();
    expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0);
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'detached' });
    await page.waitForFunction("document.activeElement?.getAttribute('aria-label')?.includes('Pump 7')");
    expect(inAddress()).toBeNull();
  });

  test('is walked through with j and k, and the next one is open once it is acknowledged', async () => {
    const page = stage.page();
    await push('third', 'second', 'first');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await panel().getByRole('heading', { name: 'first' }).waitFor();
    await page.keyboard.press('j');
    await panel().getByRole('heading', { name: 'second' }).waitFor();
    await page.keyboard.press('e');
    await panel().getByRole('heading', { name: 'third' }).waitFor();
    await page.keyboard.press('k');
    await panel().getByRole('heading', { name: 'first' }).waitFor();
    await panel().getByRole('button', { name: 'Acknowledge' }).click();
    await panel().getByRole('heading', { name: 'third' }).waitFor();
    await page.keyboard.press('e');
    await panel().waitFor({ state: 'detached' });
    await stage.until('all to be acknowledged', async () => (await stage.tasks()).length === 0);
    await page.keyboard.press('z');
    await row('third').waitFor();
    expect(await stage.rows()).toEqual(['third']);
    await stage.until('it to be back', async () => (await stage.tasks()).length === 1);
  });

  test('has an address, which Back leaves, and which says when the task has gone', async () => {
    const page = stage.page();
    await push('linked');
    const id = (await stage.tasks())[0]?.id ?? '';
    await row('linked').click();
    await page.waitForURL(`**/inbox?task=${id}`);
    await page.goBack();
    await panel().waitFor({ state: 'detached' });
    await page.goto(stage.url(`/inbox?task=${id}`));
    await panel().getByRole('heading', { name: 'linked' }).waitFor();
    await call('DELETE', `/tasks/${id}`);
    await panel().waitFor({ state: 'detached' });
    await page.goto(stage.url(`/inbox?task=${id}`));
    await panel().getByText('not in the queue any more').waitFor();
    expect(await stage.rows()).toEqual([]);
  });

  test('that the filter leaves out is acted on by key, and Undo on a notice takes back what it tells of', async () => {
    const page = stage.page();
    await push({ content: 'hidden', priority: 'low' }, 'other', 'shown');
    const hidden = (await stage.tasks()).find(({ content }) => content === 'hidden');
    await page.goto(stage.url(`/inbox?priority=normal&task=${hidden?.id ?? ''}`));
    await panel().getByRole('heading', { name: 'hidden' }).waitFor();
    await row('shown').waitFor();
    await page.getByRole('group', { name: 'List', exact: true }).waitFor();
    await page.keyboard.press('p');
    await panel().getByText('Pinned: stays until acknowledged').waitFor();
    await page.keyboard.press('e');
    await panel().waitFor({ state: 'detached' });
    expect(await stage.rows()).toEqual(['shown', 'other']);
    await page.keyboard.press('e');
    await row('shown').waitFor({ state: 'detached' });
    const notice = page.getByRole('dialog', { name: 'Acknowledged: hidden' });
    await notice.getByRole('button', { name: /Undo/ }).click();
    await stage.until('the first one to be back', async () => {
      const back = (await stage.tasks()).map(({ content }) => content);
      return back.toSorted().join() === 'hidden,other';
    });
    await notice.waitFor({ state: 'detached' });
  });

  test('is pinned, kept longer, tagged, edited and copied from there, and what it is tagged with filters', async () => {
    const page = stage.page();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await push('other', {
      content: 'Valve',
      tags: ['ops'],
      metadata: { body: 'Leaks.', url: 'https://a.example/1' },
    });
    const task = async () => (await stage.tasks()).find(({ content }) => content.startsWith('Valve'));
    const before = await task();
    await row('Valve').click();
    await panel().getByRole('button', { name: 'Pin', exact: true }).click();
    await panel().getByText('Pinned: stays until acknowledged').waitFor();
    await panel().getByRole('button', { name: 'Unpin' }).click();
    await panel().getByRole('button', { name: 'Keep 24 h more' }).click();
    await stage.until('its end to be a day later', async () => {
      const added = Date.parse((await task())?.expiresAt ?? '') - Date.parse(before?.expiresAt ?? '');
      return added === 86_400_000;
    });
    await panel().getByRole('button', { name: 'Copy', exact: true }).click();
    await panel().getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'Valve\n\nLeaks.\n\nhttps://a.example/1',
    );
    await panel().getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Valve 3');
    await page.keyboard.press('Control+Enter');
    await panel().getByRole('heading', { name: 'Valve 3' }).waitFor();
    await panel().getByRole('button', { name: '#ops' }).click();
    await row('other').waitFor({ state: 'detached' });
    expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('#ops');
  });

  test('names the intake that it came through, and leads to its delivery', async () => {
    const page = stage.page();
    const { intake } = (await page.evaluate(`fetch('/api/v1/intakes', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer ' + localStorage.getItem('accessToken') },
      body: JSON.stringify({ name: 'Boiler room', adapter: 'webhook', preset: 'generic', verification: { scheme: 'none' } }),
    }).then((answer) => answer.json())`)) as { intake: { id: string; address: string } };
    await fetch(intake.address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Boiler is cold' }),
    });
    await row('Boiler is cold').click();
    await panel().getByRole('button', { name: 'Boiler room' }).waitFor();
    await panel().getByRole('link', { name: 'Show delivery' }).click();
    await page.waitForURL(`**/admin/intakes/${intake.id}?delivery=*`);
    await page.getByText('Boiler is cold').first().waitFor();
    await page.goBack();
    await page.goto(stage.url('/inbox?q=intake%3A%22boiler+room%22'));
    await row('Boiler is cold').waitFor();
    expect((await stage.tasks())[0]?.intake?.name).toBe('Boiler room');
  });

  test('leaves room for the controls of the list on every screen: none lies over another', async () => {
    const page = stage.page();
    // As long as three lines are where nothing is beside them.
    await push(`one${' and more'.repeat(19)}`, { content: 'two', tags: ['ops'] });
    await row('two').click();
    await panel().waitFor();
    /** Where each of the controls begins and ends, from left to right. */
    const edges = (): Promise<[number, number][]> =>
      page.evaluate(`[...document.querySelectorAll('h1, [aria-label="By priority"] button, [role=group][aria-label="List"] > *, [role=group][aria-label="Selected items"] > *')]
        .map((each) => each.getBoundingClientRect())
        .filter(({ width, height }) => width > 1 && height > 1)
        .map(({ left, right }) => [left, right])
        .sort(([a], [b]) => a - b)`);
    async function expectRoom(where: string): Promise<void> {
      const all = await edges();
      expect(all.length, where).toBeGreaterThan(4);
      for (const [index, [left]] of all.slice(1).entries())
        expect(left, where).toBeGreaterThanOrEqual(all[index]?.[1] ?? 0);
    }
    const search = page.getByRole('combobox', { name: 'Search' });
    for (const width of [1024, 1100, 1180, 1280, 1366, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await expectRoom(`${width} pixels wide`);
      expect((await search.boundingBox())?.width, `${width} pixels wide`).toBeGreaterThan(120);
    }
    const more = row('one').getByRole('button', { name: 'Show all' });
    await page.keyboard.press('Escape');
    await expect.poll(() => more.count()).toBe(0);
    await row('two').click();
    await panel().waitFor();
    await page.setViewportSize({ width: 1024, height: 800 });
    await more.click();
    // Its time is hidden only where its buttons are.
    await search.click();
    await expect.poll(() => row('one').locator('.row-time').isVisible()).toBe(true);
    await row('one').getByRole('button', { name: 'Show less' }).click();
    await row('one').getByRole('checkbox').click();
    await page.getByText('1 selected').waitFor();
    for (const width of [1024, 1100, 1180, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectRoom(`${width} pixels wide, with a selection`);
    }
  });
});
