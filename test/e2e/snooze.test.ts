// Snoozing in a real browser against the real program: by keyboard, many at once, undone, and back by itself.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { snoozeOptions } from '#core/domain/snooze-times.ts';
import { waitUntilWhole } from './browser.ts';
import { inboxStage } from './inbox-stage.ts';

const HOUR = 60 * 60_000;

describe('snoozing', () => {
  const stage = inboxStage('snooze', { timezoneId: 'Asia/Kathmandu', serviceWorkers: 'block' });
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
    await page.getByText(/^Snoozed 3 items until \w+ 08:00 AM$/).waitFor();
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

  test('a number chooses, and j, k and the arrows walk the choices, round at both ends', async () => {
    const page = stage.page();
    await push('two', 'one');
    await page.keyboard.press('j');
    await page.keyboard.press('h');
    const choices = dialog('Snooze').getByRole('listitem');
    await choices.first().locator('button:focus').waitFor();
    const last = (await choices.count()) - 1;
    for (const [key, at] of [
      ['j', 1],
      ['ArrowDown', 2 % (last + 1)],
      ['k', 1],
      ['ArrowUp', 0],
      ['k', last],
      ['j', 0],
    ] as const) {
      await page.keyboard.press(key);
      await choices.nth(at).locator('button:focus').waitFor();
    }
    await page.keyboard.press('2');
    await row('one').waitFor({ state: 'detached' });
    await stage.until('it to sleep', async () => (await asleep()).length === 1);
    // Numbers are typed into a time of one's own.
    await page.keyboard.press('h');
    await dialog('Snooze').getByLabel('Pick a time').fill('2026-01-02T03:04');
    await page.keyboard.press('2');
    await dialog('Snooze').getByText('Choose a time in the future.').waitFor();
    expect(await stage.rows()).toEqual(['two']);
  });

  test('what is pressed after h, before the dialog is there, is what it is after that', async () => {
    const page = stage.page();
    let load = Promise.withResolvers<undefined>();
    await page.route('**/assets/snooze-dialog-*.js', async (route) => {
      await load.promise;
      await route.continue();
    });
    /** Presses early, and then loads the dialog. */
    async function press(...keys: string[]): Promise<number> {
      load = Promise.withResolvers();
      await page.reload();
      await waitUntilWhole(page);
      for (const key of ['j', 'h', ...keys]) await page.keyboard.press(key);
      const now = Date.now();
      load.resolve(undefined);
      return now;
    }
    await push('stays', 'three', 'two', 'one');
    await press('2', 'Escape');
    await dialog('Snooze').waitFor({ state: 'detached' });
    await press('Tab', 'Enter');
    await dialog('Snooze').locator('li button:focus').waitFor();
    expect([(await tasks()).length, (await asleep()).length]).toEqual([4, 0]);
    for (const [keys, at] of [
      [['Enter'], 0],
      [['j', 'ArrowDown', 'k', 'Enter', 'j', 'Enter'], 1],
      [['2', '1', 'e'], 1],
    ] as const) {
      const before = await asleep();
      const now = await press(...keys);
      await stage.until('one more to sleep', async () => (await asleep()).length === before.length + 1);
      const fresh = (await asleep()).find(({ id }) => !before.some((task) => task.id === id));
      // A minute may have begun since.
      const expected = [now, Date.now()].map((time) => snoozeOptions(time, 'Asia/Kathmandu')[at]?.until);
      expect(expected).toContain(Date.parse(fresh?.snoozedUntil ?? ''));
    }
    expect((await tasks()).map(({ content }) => content)).toEqual(['stays']);
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
      .getByText(/^(?:\w+ )?\d\d:\d\d [AP]M$/)
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
