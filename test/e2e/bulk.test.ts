// Many tasks at once in a real browser: all of the filter, ranges, the others; every action with one undo.
import { describe, expect, test } from 'vitest';
import type { Statistics, Task } from '#core/contract/index.ts';
import { inboxStage } from './inbox-stage.ts';

describe('many at once', () => {
  const stage = inboxStage('bulk');
  const { push, row, call, tasks } = stage;
  const bar = () => stage.page().getByRole('group', { name: 'Selected items' });
  const selected = (count: number) => bar().getByText(`${count} selected`).waitFor();
  const every = (is: (task: Task) => boolean, count: number) =>
    stage.until('the server to have it', async () => {
      const all = await tasks();
      return all.length === count && all.every(is);
    });

  const total = async () => {
    const { statistics } = await call('GET', '/tasks/stats/summary');
    return (statistics as Statistics).total;
  };
  const values = (what: string, of: (task: Task) => string, expected: string) =>
    stage.until(what, async () => (await tasks()).map(of).toSorted().join() === expected);

  test('all that match the filter are selected, also those that are not loaded yet, and come back with one undo', async () => {
    const page = stage.page();
    for (let n = 0; n < 2; n++)
      await call('POST', '/tasks/batch', {
        tasks: Array.from({ length: 350 }, (_, i) => ({
          content: `task ${n * 350 + i}`,
          tags: i % 2 === 0 ? ['even'] : [],
        })),
      });
    await page.goto(stage.url('/inbox?q=%23even'));
    await page.getByText('Showing 50 of 350 items').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await bar().getByRole('button', { name: 'All 350' }).click();
    await selected(350);
    await page.keyboard.press('e');
    await page.getByText('Acknowledged 350 items').waitFor();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await stage.until('the others to be left', async () => (await total()) === 350);
    await page.keyboard.press('z');
    await page.getByText('of 350 items').waitFor();
    await stage.until('all to be back', async () => (await total()) === 700);
    expect(await page.getByText(/of 350 items/).count()).toBe(1);
  });

  test('ranges are selected by keyboard, shrink again, and are inverted', async () => {
    const page = stage.page();
    await push('five', 'four', 'three', 'two', 'one');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+J');
    await page.keyboard.press('Shift+J');
    await selected(3);
    await page.keyboard.press('Shift+K');
    await selected(2);
    await page.keyboard.press('Shift+I');
    await selected(3);
    await page.keyboard.press('e');
    await row('four').waitFor({ state: 'detached' });
    expect(await stage.rows()).toEqual(['one', 'two']);
    await page.keyboard.press('a');
    await selected(2);
    await page.keyboard.press('Escape');
    await bar().waitFor({ state: 'detached' });
  });

  test('priority, tags, pins and time are changed together, each with one undo', async () => {
    const page = stage.page();
    await push({ content: 'three', tags: ['old'] }, { content: 'two', priority: 'low' }, 'one');
    const ends = new Map((await tasks()).map(({ id, expiresAt }) => [id, expiresAt]));
    const more = async (name: string) => {
      await bar().getByRole('button', { name: 'More for the selected items' }).click();
      await page.getByRole('menuitem', { name }).click();
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    await page.keyboard.press('a');
    await selected(3);
    await more('High priority for 3 items');
    await every(({ priority }) => priority === 'high', 3);

    await page.keyboard.press('t');
    await page.getByRole('textbox', { name: 'Add tags' }).fill('new, more');
    await page.getByRole('button', { name: 'Remove old' }).click();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await every(({ tags }) => tags.join() === 'new,more', 3);

    await page.keyboard.press('p');
    await every(({ pinned }) => pinned, 3);
    await bar().getByRole('button', { name: 'Keep 3 items 24 h more' }).click();
    await every(
      ({ id, expiresAt }) => Date.parse(expiresAt) - Date.parse(ends.get(id) ?? '') === 86_400_000,
      3,
    );

    await page.keyboard.press('z');
    await page.getByText('Undone: Kept 3 items 24 h longer').waitFor();
    await every(({ id, expiresAt }) => expiresAt === ends.get(id), 3);
    await page.keyboard.press('z');
    await every(({ pinned }) => !pinned, 3);
    await page.keyboard.press('z');
    await values('former tags', ({ content, tags }) => content + tags.join(), 'one,threeold,two');
    await page.keyboard.press('z');
    const former = 'onenormal,threenormal,twolow';
    await values('former priorities', ({ content, priority }) => content + priority, former);
    expect((await tasks()).map(({ id, expiresAt }) => [id, expiresAt])).toEqual([...ends]);
  });

  test('one undo takes back an edit, and one what was added', async () => {
    const page = stage.page();
    await push('old text');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+E');
    await page.getByRole('textbox', { name: 'Message' }).fill('new text');
    await page.keyboard.press('Control+Enter');
    await row('new text').waitFor();
    await page.getByRole('dialog', { name: 'Edit Item' }).waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    await page.getByRole('textbox', { name: 'Message' }).fill('by mistake');
    await page.keyboard.press('Control+Enter');
    await row('by mistake').waitFor();
    await page.getByRole('dialog', { name: 'Add New Item' }).waitFor({ state: 'detached' });
    await page.keyboard.press('z');
    await row('by mistake').waitFor({ state: 'detached' });
    await page.keyboard.press('z');
    await row('old text').waitFor();
    await values('former text', ({ content }) => content, 'old text');
    expect(await stage.rows()).toEqual(['old text']);
  });
});
