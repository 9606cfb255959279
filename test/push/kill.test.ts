// Pushes while every process is killed, again and again: each task that is not over comes to be shown, and
// none that is over stays open.
import { expect, it } from 'vitest';
import { waitFor } from '#test/program/wait.ts';
import type { TestBrowser } from './push-service.ts';
import { startEmbedded, startProduction, type PushOwner, type PushStage } from './stage.ts';

const OWNERS = 3;
/** Fewer than an owner gets at once. */
const TASKS = 9;
/** More than the time after which another process does what one has left. */
const WITHIN_MS = 600_000;
const never = new Promise<void>(() => {});

interface Watched {
  owner: PushOwner;
  browser: TestBrowser;
  ids: string[];
  over: Set<string>;
}

/** The tasks that the device shows: by what its push service took. */
function shownOn({ received }: TestBrowser): Set<string> {
  const shown = new Set<string>();
  for (const { message, status } of received) {
    if (status !== 201) continue;
    const { notification, ids = [] } = message;
    if (notification?.data.id !== undefined) shown.add(notification.data.id);
    for (const id of ids) shown.delete(id);
  }
  return shown;
}

const sorted = (ids: Iterable<string>): string[] => [...ids].toSorted();
const wanted = ({ ids, over }: Watched) => sorted(ids.filter((id) => !over.has(id)));

/** What the devices show in the end, and what they should. */
interface Outcome {
  what: string;
  shown: string[][];
  wanted: string[][];
}

async function settled(what: string, all: readonly Watched[]): Promise<Outcome> {
  const isRight = (one: Watched) => sorted(shownOn(one.browser)).join() === wanted(one).join();
  await waitFor(what, () => all.every(isRight), WITHIN_MS).catch(() => null);
  return { what, shown: all.map(({ browser }) => sorted(shownOn(browser))), wanted: all.map(wanted) };
}

async function acknowledge(one: Watched, ids: readonly string[]): Promise<void> {
  await one.owner.call('POST', '/tasks/acknowledge', { ids });
  for (const id of ids) one.over.add(id);
}

/** Nothing more is taken until the next kill. */
const hang = ({ browser }: Watched, processes: number) =>
  browser.answers.push(...Array.from({ length: processes }, () => ({ status: 201, after: never })));

async function run(start: () => Promise<PushStage | { missing: string }>): Promise<Outcome[]> {
  const stage = await start();
  if ('missing' in stage) throw new Error(stage.missing);
  try {
    return await runOn(stage);
  } finally {
    await stage.stop();
  }
}

async function runOn(stage: PushStage): Promise<Outcome[]> {
  const all: Watched[] = [];
  for (let count = 0; count < OWNERS; count++) {
    const owner = stage.owner();
    all.push({ owner, browser: await owner.subscribe(), ids: [], over: new Set() });
  }
  const each = (work: (one: Watched) => Promise<void>) => Promise.all(all.map(work));
  async function add(one: Watched, count: number): Promise<void> {
    const names = Array.from({ length: count }, (_, n) => `task ${n}`);
    one.ids.push(...(await Promise.all(names.map((name) => one.owner.add(name)))));
  }
  const hanging = (one: Watched) =>
    waitFor('a push that hangs', () => one.browser.received.some(({ status }) => status === null));

  // Some on their way, the others behind them, and some of those over.
  await each(async (one) => {
    hang(one, stage.processes);
    await add(one, TASKS);
    await hanging(one);
    await acknowledge(one, one.ids.slice(0, 3));
  });
  await stage.restartAll();
  const first = await settled('what was not shown', all);

  // What closes them is on its way, and one waits for its second attempt.
  await each(async (one) => {
    one.browser.answers.push({ status: 503, headers: { 'retry-after': '2' } });
    await add(one, 1);
    await waitFor('the refusal', () => one.browser.received.some(({ status }) => status === 503));
    hang(one, stage.processes);
    await acknowledge(one, one.ids.slice(3, 6));
  });
  await stage.restartAll();
  // Once more, as soon as it is up.
  await stage.restartAll();
  return [first, await settled('what was not closed', all)];
}

it(
  'each live task is shown and none that is over stays open, whenever all is killed, in both sizes',
  { timeout: 1_800_000 },
  async () => {
    const outcomes = await Promise.all([run(startEmbedded), run(startProduction)]);
    for (const { what, shown, wanted: expected } of outcomes.flat()) expect(shown, what).toEqual(expected);
  },
);
