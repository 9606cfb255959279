// Snoozing in a real browser against the real program: by keyboard, many at once, undone, and back by itself.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { inboxStage } from './inbox-stage.ts';

const HOUR = 60 * 60_000;

describe('snoozing', () => {
  const stage = inboxStage('snooze', { timezoneId: 'Asia/Kathmandu' });
  const { call, push, row, tasks } = stage;
  const asleep = async () => (await call('GET', '/tasks?snoozed=true'))['tasks'] as Task[];
  const dialog = (name: string) => stage.page().getByRole('dialog', { name });
  const snoozedCount = (count: number) =>
    stage.page().getByRole('button', { name: `Snoozed ${count}`, exact: true });

  beforeEach(async () => {
    const left = await asleep();
    if (left.length > 0) await call('POST', '/tasks/acknowledge', { ids: left.map(({ id }) => id) });
  });

  test('by keyboard: h, Enter; the next row is at hand, and z brings it back with the time it had', async () => {
    const page = stage.page();
    await push('two', 'one');
    const before = (await tasks()).find(({ content }) => content === 'one');
    await page.keyboard.press('j');
    await page.keyboard.press('h');
    // An Enter before the dialog has the focus is for nothing.
    await dialog('Snooze').locator('li button:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/^Snoozed until /).waitFor();
    await row('one').waitFor({ state: 'detached' });
    await snoozedCount(1).waitFor();
    await stage.until('it to sleep', async () => (await asleep()).length === 1);
    await page.keyboard.press('z');
    await row('one').waitFor();
    await stage.until('it to be awake', async () => (await tasks()).length === 2);
    const after = (await tasks()).find(({ content }) => content === 'one');
    expect(after?.snoozedUntil).toBeNull();
    // As long left as before: the moments of its sleep do not count.
    const gained = Date.parse(after?.expiresAt ?? '') - Date.parse(before?.expiresAt ?? '');
    expect([gained >= 0, gained < 60_000]).toEqual([true, true]);
  });

  test('many at once until the morning of the own zone, with one undo', async () => {
    const page = stage.page();
    await push('three', 'two', 'one');
    await page.keyboard.press('a');
    await page.keyboard.press('h');
    await dialog('Snooze 3 items').getByRole('button', { name: 'Tomorrow morning' }).click();
    await page.getByText(/^Snoozed 3 items until \w+ 08:00$/).waitFor();
    await snoozedCount(3).waitFor();
    await stage.until('all to sleep', async () => (await asleep()).length === 3);
    const at = new Intl.DateTimeFormat('en-US', {
      timeZone: 'Asia/Kathmandu',
      timeStyle: 'medium',
      hourCycle: 'h23',
    });
    expect(
      new Set((await asleep()).map(({ snoozedUntil }) => at.format(Date.parse(snoozedUntil ?? '')))),
    ).toEqual(new Set(['08:00:00']));
    await page.keyboard.press('z');
    await row('three').waitFor();
    await stage.until('all to be awake', async () => (await tasks()).length === 3);
    expect(await stage.rows()).toEqual(['one', 'two', 'three']);
  });

  test('it is back by itself in every browser, and says so', async () => {
    const other = await stage.another();
    await push('two', 'one');
    const [{ id }] = (await tasks()) as [Task];
    const until = Date.now() + 15_000;
    await call('POST', `/tasks/${id}/snooze`, { until: new Date(until).toISOString() });
    const rows = [row('one'), other.locator('article[data-task]', { hasText: 'one' })];
    for (const one of rows) await one.waitFor({ state: 'detached' });
    // This one has not seen it sleep.
    const late = await stage.another();
    await late.locator('article[data-task]', { hasText: 'two' }).waitFor();
    for (const one of [...rows, late.locator('article[data-task]', { hasText: 'one' })]) {
      await one.waitFor();
      await one.getByText('Back').waitFor();
    }
    expect(Date.now()).toBeGreaterThanOrEqual(until);
    expect(await stage.rows()).toEqual(['one', 'two']);
    await other.context().close();
    await late.context().close();
  });

  test('the snoozed have a list and an address of their own, where one is woken', async () => {
    const page = stage.page();
    await push('two', 'one');
    for (const [index, { id }] of (await tasks()).entries())
      await call('POST', `/tasks/${id}/snooze`, { minutes: 60 * (index + 1) });
    await snoozedCount(2).click();
    await row('two').waitFor();
    expect([new URL(page.url()).search, await stage.rows()]).toEqual(['?snoozed=true', ['one', 'two']]);
    await page.reload();
    await row('one')
      .getByText(/^(?:\w+ )?\d\d:\d\d$/)
      .waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('h');
    await dialog('Snooze').getByRole('button', { name: 'Wake now' }).click();
    await row('one').waitFor({ state: 'detached' });
    await stage.until('it to be awake', async () => (await tasks()).length === 1);
    const [{ snoozedUntil }] = (await asleep()) as [Task];
    expect(Date.parse(snoozedUntil ?? '') - Date.now()).toBeGreaterThan(HOUR);
    await page.keyboard.press('Escape');
    await row('one').waitFor();
    expect(await stage.rows()).toEqual(['one']);
  });
});
