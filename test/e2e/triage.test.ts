// Triage in a real browser: tasks go at the second of their end, many are acknowledged and restored at once,
// the list outlives the network, and everything fits on a phone.
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { waitFor } from '#test/program/wait.ts';
import { rowOf, waitUntilLive } from './browser.ts';
import { inboxStage } from './inbox-stage.ts';

const LIFE_LEFT_MS = 8000;

describe('triage', () => {
  const stage = inboxStage('triage');
  const { call, tasks, push } = stage;
  let page: Page;
  beforeEach(() => {
    page = stage.page();
  });
  const contents = async () => (await tasks()).map(({ content }) => content).toSorted();

  test('shows a task until the moment at which its time is up, and no longer', async () => {
    let expiresAt = 0;
    await page.route('**/api/v1/tasks?*', async (route) => {
      // A list that has not changed would be answered without a body.
      const { 'if-none-match': _, ...headers } = route.request().headers();
      const response = await route.fetch({ headers });
      const answer = (await response.json()) as { tasks: Task[] };
      // The shortest life is a minute: here the one that is left of it.
      for (const task of answer.tasks)
        if (task.content === 'soon over') {
          expiresAt ||= Date.now() + LIFE_LEFT_MS;
          task.expiresAt = new Date(expiresAt).toISOString();
        }
      await route.fulfill({ response, json: answer });
    });
    await call('POST', '/tasks', { content: 'soon over' });
    await call('POST', '/tasks', { content: 'stays' });
    await page.reload();
    await rowOf(page, 'soon over').waitFor();
    await page.evaluate(`new MutationObserver(() => {
      if (!document.body.innerText.includes('soon over')) globalThis.goneAt ??= Date.now();
    }).observe(document.body, { subtree: true, childList: true })`);
    await rowOf(page, 'soon over').getByText('s left').waitFor();
    await rowOf(page, 'soon over').waitFor({ state: 'detached' });
    const goneAt = await page.evaluate<number>('globalThis.goneAt');
    // To within what the server's clock is known by: never early.
    expect(goneAt - expiresAt).toBeGreaterThan(-100);
    await rowOf(page, 'stays').waitFor();
  });

  test('acknowledges many at once by keyboard, and one key brings all of them back', async () => {
    await push('first', 'second', 'third');
    await page.keyboard.type('jxjxjx');
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('e');
    await page.getByRole('heading', { name: 'Queue is empty' }).waitFor();
    await waitFor('the queue to be empty', async () => (await tasks()).length === 0);
    await page.keyboard.press('z');
    await rowOf(page, 'second').waitFor();
    await waitFor('all to be back', async () => (await tasks()).length === 3);
    expect(await contents()).toEqual(['first', 'second', 'third']);
  });

  test('keeps its list without a network, and sends what was done meanwhile when it is back', async () => {
    await push('done in a tunnel', 'stays');
    await page.context().setOffline(true);
    await page.getByText(/^You are offline\. What you see is from \d\d:\d\d [AP]M\.$/).waitFor();
    await rowOf(page, 'done in a tunnel').hover();
    await rowOf(page, 'done in a tunnel').getByRole('button', { name: 'Acknowledge' }).click();
    await rowOf(page, 'done in a tunnel').waitFor({ state: 'detached' });
    await rowOf(page, 'stays').waitFor();
    await call('POST', '/tasks', { content: 'came meanwhile' });
    expect(await contents()).toEqual(['came meanwhile', 'done in a tunnel', 'stays']);
    await page.context().setOffline(false);
    await waitUntilLive(page);
    await waitFor('what was done to be sent', async () => (await tasks()).length === 2);
    await rowOf(page, 'came meanwhile').waitFor();
    expect(await rowOf(page, 'done in a tunnel').count()).toBe(0);
  });

  test('fits on a phone: nothing scrolls sideways at 320 px, and the places are icons that keep their names', async () => {
    await call('POST', '/tasks', { content: `a word of ${'x'.repeat(300)}`, tags: ['y'.repeat(50), 'ops'] });
    await page.setViewportSize({ width: 320, height: 640 });
    const wide: string[] = [];
    for (const path of [
      ...[
        '/inbox',
        '/inbox?view=acknowledged',
        '/admin',
        '/admin/appearance',
        '/admin/slack',
        '/admin/webhooks',
        '/admin/escalation',
      ],
      ...['/admin/users', '/admin/system', '/admin/intakes', '/admin/intakes/new', '/no/such/page'],
    ]) {
      await page.goto(stage.url(path));
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      const { scrolls, words } = await page.evaluate<{ scrolls: boolean; words: number }>(`({
        // What the body cuts off does not scroll.
        scrolls: document.documentElement.scrollWidth > document.documentElement.clientWidth ||
          [...document.querySelectorAll('header a, header button')].some((one) => one.getBoundingClientRect().right > innerWidth),
        words: [...document.querySelectorAll('nav[aria-label=Main] a span')].filter((span) => span.offsetWidth > 0).length,
      })`);
      if (scrolls || words > 0) wide.push(path);
    }
    expect(wide).toEqual([]);
    await page.goto(stage.url('/inbox'));
    await rowOf(page, 'a word of').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    const bar = await page.getByRole('group', { name: 'Selected items' }).boundingBox();
    const first = await page
      .getByRole('button', { name: /^All|^Clear/ })
      .first()
      .boundingBox();
    expect(first?.x ?? 0).toBeGreaterThanOrEqual(bar?.x ?? Infinity);
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(1);
  });

  test('fits into half a screen: nothing of the controls, or of the actions of a selection, covers the counts', async () => {
    await push('first', 'second');
    await call('POST', '/tasks', { content: 'asleep' });
    const [asleep] = await tasks();
    await call('POST', `/tasks/${asleep?.id}/snooze`, { minutes: 60 });
    await page.getByRole('button', { name: /^Snoozed/ }).waitFor();
    /** What of the toolbar begins, from left to right, before its neighbour has ended. */
    const covered = () =>
      page.evaluate<string[]>(`(() => {
        const bar = document.querySelector('h1').parentElement.parentElement;
        const parts = [...bar.querySelectorAll('h1, button, a, input, p')].filter((part) => part.offsetWidth > 1)
          .map((part) => ({ name: part.ariaLabel ?? part.textContent, box: part.getBoundingClientRect() }))
          .toSorted((a, b) => a.box.left - b.box.left);
        return parts.filter(({ box }, at) => at > 0 && box.left < parts[at - 1].box.right - 1).map(({ name }) => name);
      })()`);
    for (const width of [640, 700, 768, 831, 900, 1023, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await covered()]).toEqual([width, []]);
      expect((await page.getByRole('combobox').boundingBox())?.width).toBeGreaterThan(60);
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.getByText('1 selected').waitFor();
      expect([width, await covered()]).toEqual([width, []]);
      await page.keyboard.press('Escape');
      await page.getByText('1 selected').waitFor({ state: 'detached' });
    }
  });
});
