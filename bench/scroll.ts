// `npm run bench:scroll`: an inbox of 10,000 tasks in a real Chromium, with a task open beside the list.
// How many frames take longer than 50 ms while it is scrolled, how soon a key shows what it did, how soon
// a dialog opens at its first press, and whether this still holds while 50 tasks a second arrive.
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { hasChromium, launchBrowser, openInbox, WHY_NOT } from '#test/e2e/browser.ts';
import { p95 } from '#test/e2e/push.ts';
import { createKey, startProgram, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { FRAMES, PRESS, WATCH } from './measure/page.ts';
import { summarise } from './measure/stats.ts';

const TASKS = 10_000;
const BATCH = 500;
const LONG_FRAME_MS = 50;
const GOAL_LONG_SHARE = 0.005;
const GOAL_KEY_MS = 50;
/** While tasks arrive the machine does their work as well. */
const GOAL_BUSY_LONG_SHARE = 0.02;
const GOAL_BUSY_KEY_MS = 100;
const GOAL_OPEN_MS = 100;
const WALKS = 60;
/** The code of dialogs is fetched while a new page is idle. */
const IDLE_MS = 6000;
const SCROLLS = 6;
const SCROLL_PX = 12_000;
const SCROLL_PX_PER_SECOND = 3000;
const ACKNOWLEDGEMENTS = 40;
const ARRIVALS_PER_SECOND = 50;
const ARRIVAL_SECONDS = 30;

let missed = 0;

function report(what: string, value: string, met: boolean, goal: string): void {
  if (!met) missed += 1;
  console.log(`${what}: ${value} (goal ${goal}: ${met ? 'met' : 'missed'})`);
}

async function post(url: string, key: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

const PRIORITIES = ['high', 'normal', 'low'];
const someTask = (n: number) => ({
  content:
    n % 7 === 0
      ? `Payroll export ${n} finished with warnings\nRows 118 and 204 have no cost centre, see https://ci.example.com/runs/${n}`
      : `Disk /var on nas-${n} is 91 % full`,
  priority: PRIORITIES[n % 3],
  tags: n % 2 === 0 ? ['ops', `nas-${n % 40}`] : [],
});

async function scroll(page: Page): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(`${FRAMES}.start()`);
  for (let i = 0; i < SCROLLS; i++)
    await session.send('Input.synthesizeScrollGesture', {
      x: 640,
      y: 500,
      yDistance: i % 3 === 2 ? SCROLL_PX : -SCROLL_PX,
      speed: SCROLL_PX_PER_SECOND,
      gestureSourceType: 'mouse',
    });
  return page.evaluate<number[]>(`${FRAMES}.stop()`);
}

/** From the key to the frame without the row, so many times, one every `everyMs` at the earliest. */
async function acknowledge(page: Page, count: number, everyMs = 0): Promise<number[]> {
  const delays: number[] = [];
  for (let i = 0; i < count; i++) {
    const next = pause(everyMs);
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    delays.push(await waitFor('the row to be gone', () => page.evaluate<number | null>(`${WATCH}.take()`)));
    await next;
  }
  return delays;
}

async function arrive(url: string, key: string): Promise<void> {
  const from = performance.now();
  const sent: Promise<void>[] = [];
  for (let n = 0; n < ARRIVALS_PER_SECOND * ARRIVAL_SECONDS; n++) {
    sent.push(post(url, key, '/tasks', someTask(TASKS + n)));
    await pause(Math.max(0, from + (n * 1000) / ARRIVALS_PER_SECOND - performance.now()));
  }
  await Promise.all(sent);
}

const longShare = (frames: readonly number[]): number =>
  frames.filter((ms) => ms > LONG_FRAME_MS).length / frames.length;

/** The same scrolling over a page of plain lines: long frames there are the machine's. */
async function floor(page: Page): Promise<number> {
  await page.setContent(
    Array.from({ length: 3000 }, (_, n) => `<p>Disk /var on nas-${n} is 91 % full</p>`).join(''),
  );
  return longShare(await scroll(page));
}

/** From a key to the frame that shows what it did. */
async function press(page: Page, key: string, isThere: string): Promise<number> {
  await page.evaluate(`${PRESS}.watch(() => ${isThere})`);
  await page.keyboard.press(key);
  return waitFor(`what ${key} does`, () => page.evaluate<number | null>(`${PRESS}.take()`));
}

const PANEL = `document.querySelector('[data-task-panel] h2')`;

/** Walks along the rows with a task open. */
async function walk(page: Page): Promise<number[]> {
  const delays: number[] = [];
  for (let i = 0; i < WALKS; i++) {
    const before = await page.evaluate<string>(`${PANEL}.closest('[data-task-panel]').innerText`);
    const isNext = `${PANEL}?.closest('[data-task-panel]').innerText !== ${JSON.stringify(before)}`;
    delays.push(await press(page, i % 10 === 9 ? 'k' : 'j', isNext));
  }
  return delays;
}

/** Each in a page that was opened for it. */
const FIRST_PRESSES: [what: string, key: string, isThere: string][] = [
  ['Enter, the open task', 'Enter', PANEL],
  ['c, adding', 'c', `document.querySelector('[role=dialog] textarea')`],
  ['Shift E, editing', 'Shift+E', `document.querySelector('[role=dialog] textarea')`],
  ['t, tags', 't', `document.querySelector('[role=dialog] input')`],
  ['v, views', 'v', `document.querySelector('[role=dialog] input')`],
  ['?, shortcuts', '?', `document.querySelector('[role=dialog] dl')`],
  ['Ctrl K, the palette', 'Control+k', `document.querySelector('[role=dialog] [role=option]')`],
];

async function reportFirstPresses(page: Page, url: string): Promise<void> {
  for (const [what, key, isThere] of FIRST_PRESSES) {
    await page.goto(`${url}/inbox`);
    await page.locator('article[data-task]').first().waitFor();
    await pause(IDLE_MS);
    await page.keyboard.press('j');
    const ms = await press(page, key, isThere);
    report(`First press of ${what}`, `${ms.toFixed(0)} ms`, ms < GOAL_OPEN_MS, `< ${GOAL_OPEN_MS} ms`);
    await page.keyboard.press('Escape');
  }
}

function reportFrames(when: string, frames: readonly number[], goal = GOAL_LONG_SHARE): void {
  const long = longShare(frames);
  report(
    `${when}: frames over ${LONG_FRAME_MS} ms`,
    `${(long * 100).toFixed(2)} % of ${frames.length}, median ${summarise(frames).median.toFixed(1)} ms, worst ${Math.max(...frames).toFixed(0)} ms`,
    long < goal,
    `< ${goal * 100} %`,
  );
}

function reportKeys(what: string, delays: readonly number[], goal = GOAL_KEY_MS): void {
  report(
    `${what} → painted`,
    `p95 ${p95(delays).toFixed(1)} ms, median ${summarise(delays).median.toFixed(1)} ms of ${delays.length}`,
    p95(delays) < goal,
    `< ${goal} ms`,
  );
}

if (!hasChromium) {
  console.error(`qinbox: ${WHY_NOT}`);
  process.exit(1);
}
const folder = temporaryFolder('scroll');
const key = createKey(folder.path);
const limits = { RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_HOUR: '1000000' };
const program = await startProgram({ dataDir: folder.path, env: limits });
const browser = await launchBrowser();
try {
  for (let n = 0; n < TASKS; n += BATCH)
    await post(program.url, key, '/tasks/batch', {
      tasks: Array.from({ length: BATCH }, (_, i) => someTask(n + i)),
    });
  const blank = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const own = await floor(blank);
  await blank.close();
  console.log(
    `The machine itself: ${(own * 100).toFixed(2)} % of frames over ${LONG_FRAME_MS} ms on a page of plain lines${own < GOAL_LONG_SHARE ? '' : '; too busy to judge by'}`,
  );
  const page = await openInbox(browser, program, folder.path);
  await page.getByRole('button', { name: 'Load all' }).click();
  await page.getByText(`Showing ${TASKS} of ${TASKS} items`).waitFor({ timeout: 30_000 });

  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.locator('[data-task-panel] h2').waitFor();
  reportFrames('Scrolling', await scroll(page));
  await page.evaluate(`scrollTo(0, 0)`);
  reportKeys('A key to the next task', await walk(page));
  await page.evaluate(`${WATCH}.start()`);
  reportKeys('Acknowledged', await acknowledge(page, ACKNOWLEDGEMENTS));

  await page.evaluate(`${FRAMES}.start()`);
  const [, delays] = await Promise.all([
    arrive(program.url, key),
    acknowledge(page, ARRIVAL_SECONDS - 2, 1000),
  ]);
  const frames = await page.evaluate<number[]>(`${FRAMES}.stop()`);
  const meanwhile = `${ARRIVALS_PER_SECOND} arrivals a second`;
  reportFrames(meanwhile, frames, GOAL_BUSY_LONG_SHARE);
  reportKeys(`${meanwhile}: acknowledged`, delays, GOAL_BUSY_KEY_MS);
  const total = TASKS + ARRIVALS_PER_SECOND * ARRIVAL_SECONDS - ACKNOWLEDGEMENTS - delays.length;
  await page.getByText(`of ${total} items`).waitFor({ timeout: 15_000 });
  console.log(`All ${total} tasks that are left are counted on the screen.`);
  await reportFirstPresses(page, program.url);
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  await browser.close();
  await program.kill();
  folder.remove();
}
