// An account that is taken in from a file, and one that is deleted, while every process is killed again and
// again.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { AccountFile } from '#core/contract/index.ts';
import { waitFor } from '#test/program/wait.ts';
import { signIn, type Person } from './account-person.ts';
import { stageEmbedded, stageProduction, type AccountStage } from './account-stage.ts';

const ANN = 'ann@example.com';
const BOB = 'bob@example.com';
const INTAKES = 10;
/** Between two looks at an import: counting what is there takes processor time from it. */
const LONGEST_PAUSE_MS = 100;

export interface AccountFates {
  name: string;
  /** Of the tasks in the file: not there after the import, or more than once. */
  lost: string[];
  doubled: string[];
  /** The names of intakes and webhooks that the import made. */
  settings: string[];
  /** What came of two more imports of the same file: nothing, if the first was whole. */
  takenAgain: number;
  /** Kills in the middle of an import, and of a deletion. */
  interrupted: { imports: number; deletions: number };
  /** What each way in answered between the deletion that was confirmed and its end. */
  refused: number[];
  /** Whether the live connection of a process that did not delete was closed. */
  disconnected: boolean;
  /** Records of the deleted account that are left. */
  left: string[];
  /** What the other account had before, and has not now; and the other way round. */
  changed: string[];
}

/** Gives a user as many tasks and some of everything else; returns the file of it. */
async function fill({ call }: Person, tasks: number): Promise<AccountFile> {
  const done = async (path: string, body: object) => {
    const { status } = await call('POST', path, body);
    if (status >= 300) throw new Error(`POST ${path}: ${status}`);
  };
  for (let made = 0; made < tasks; made += 100) {
    const items = Array.from({ length: Math.min(100, tasks - made) }, (_, index) => ({
      content: `task ${made + index}`,
      dedupeKey: `key ${made + index}`,
      tags: ['moved'],
    }));
    await done('/tasks/batch', { tasks: items });
  }
  // After the tasks, so that nobody is told of these.
  for (let made = 0; made < INTAKES; made++) {
    await done('/intakes', { name: `in ${made}`, adapter: 'webhook', verification: { scheme: 'none' } });
    await done('/webhooks', { name: `out ${made}`, url: 'https://example.com/', events: ['task.created'] });
    await done('/views', { name: `view ${made}`, key: null, query: `q=${made}` });
  }
  return (await call('GET', '/account/export')).body as unknown as AccountFile;
}

async function importUnderKills(stage: AccountStage, bob: Person, file: AccountFile, kills: number) {
  const answered = bob.call('POST', '/account/import', file);
  let interrupted = 0;
  let isAnswered = false;
  void answered.then(() => (isAnswered = true));
  for (let kill = 1; kill <= kills && !isAnswered; kill++) {
    const enough = (file.tasks.length * kill) / (kills + 1);
    const before = await stage.tasksOf(bob.id);
    let since = performance.now();
    for (let there = before; !isAnswered && there < enough; there = await stage.tasksOf(bob.id)) {
      if (there === before) since = performance.now();
      // What is left takes as long as this at least; it may be less than the pause of a usual wait.
      await pause(Math.min(LONGEST_PAUSE_MS, 1 + (performance.now() - since) / 50));
    }
    await stage.kill();
    if ((await stage.tasksOf(bob.id)) < file.tasks.length) interrupted++;
    await stage.start();
  }
  const { status } = await answered;
  if (status !== 200) throw new Error(`the import: ${status}`);
  return interrupted;
}

async function liveOf(url: string, key: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/live`, ['qinbox.v1'], {
    headers: { 'x-api-key': key },
  });
  await once(socket, 'message');
  return socket;
}

/** Kills all in the middle of a removal, until nothing is left to remove. */
async function eraseUnderKills(stage: AccountStage, owner: string, kills: number): Promise<number> {
  let interrupted = 0;
  const isThere = async () => (await stage.dump()).some((line) => line.includes(BOB));
  for (let kill = 0; kill < kills; kill++) {
    if ((await stage.tasksOf(owner)) === 0) break;
    const begun = stage.removing(owner);
    await stage.start();
    await begun;
    await stage.kill();
    if (await isThere()) interrupted++;
  }
  await stage.start();
  // Tasks go before the account: until then there is no need to read all that is stored, again and again.
  await waitFor(
    'the end of the removal',
    async () => (await stage.tasksOf(owner)) === 0 && !(await isThere()),
  );
  return interrupted;
}

const keyOf = (stage: AccountStage, email: string) =>
  (JSON.parse(stage.qinbox('key', 'create', '--email', email, '--name', 'key', '--json')) as { key: string })
    .key;

export interface Size {
  name: 'embedded' | 'production';
  tasks: number;
  kills: number;
}

/**
 * Starts it in this size; resolves with what then does the rest: Ann's account is taken in by Bob, and Bob's
 * is deleted.
 */
export async function startAccount(size: Size): Promise<() => Promise<AccountFates>> {
  const stage = await (size.name === 'embedded' ? stageEmbedded() : stageProduction());
  if ('missing' in stage) throw new Error(stage.missing);
  // Commands hold up this process, which is to kill in the middle of something else later.
  const people: People = {
    keys: [keyOf(stage, ANN), keyOf(stage, BOB)],
    ann: await signIn(stage, ANN),
    bob: await signIn(stage, BOB),
  };
  return async () => {
    try {
      return await accountUnderKills(stage, people, size);
    } finally {
      await stage.stop();
    }
  };
}

interface People {
  keys: readonly [ann: string, bob: string];
  ann: Person;
  bob: Person;
}

async function accountUnderKills(
  stage: AccountStage,
  { keys, ann, bob }: People,
  { name, tasks, kills }: Size,
): Promise<AccountFates> {
  const file = await fill(ann, tasks);
  const ofAnn = async () => (await stage.dump()).filter((line) => line.startsWith('tasks ')).length;
  const tasksOfAnn = await stage.tasksOf(ann.id);

  const imports = await importUnderKills(stage, bob, file, kills);
  const again = await bob.call('POST', '/account/import', file);
  const { taken } = again.body['import'] as unknown as { taken: Record<string, number> };
  const copy = (await bob.call('GET', '/account/export')).body as unknown as AccountFile;
  const times = new Map<string, number>();
  for (const { content } of copy.tasks) times.set(content, (times.get(content) ?? 0) + 1);

  const { address } = (
    (await bob.call('POST', '/intakes', {
      name: 'open',
      adapter: 'webhook',
      verification: { scheme: 'none' },
    })) as unknown as { body: { intake: { address: string } } }
  ).body.intake;
  const intake = new URL(address).pathname;
  const sendFrom = (url: string) =>
    fetch(url + intake, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: `to ${BOB}` }),
    });
  const live = await liveOf(stage.urls.at(-1) ?? '', keys[1]);
  const closed = once(live, 'close').then(() => true);
  const sent = Array.from({ length: 20 }, () => sendFrom(stage.urls[0]));
  const { status } = await bob.call('DELETE', '/account', { confirm: BOB });
  if (status !== 200) throw new Error(`the deletion: ${status}`);
  await Promise.all(sent);
  const disconnected = await Promise.race([closed, pause(10_000).then(() => false)]);
  await stage.kill();
  await stage.start();
  const refused: number[] = [];
  for (const url of stage.urls) {
    const withKey = await fetch(`${url}/api/v1/tasks`, { headers: { 'x-api-key': keys[1] } });
    const withSession = await fetch(`${url}/api/v1/tasks`, {
      headers: { authorization: `Bearer ${bob.token()}` },
    });
    refused.push(withKey.status, withSession.status, (await sendFrom(url)).status);
  }
  await stage.kill();
  await stage.markedLongAgo(bob.id);
  const deletions = await eraseUnderKills(stage, bob.id, kills);

  const after = (await ann.call('GET', '/account/export')).body as unknown as AccountFile;
  const left = await stage.dump();
  return {
    name,
    lost: file.tasks.map(({ content }) => content).filter((content) => !times.has(content)),
    doubled: [...times].filter(([, count]) => count > 1).map(([content]) => content),
    settings: [...copy.intakes, ...copy.webhooks, ...copy.views].map(({ name }) => name).toSorted(),
    takenAgain: Object.values(taken).reduce((sum, count) => sum + count, 0),
    interrupted: { imports, deletions },
    refused,
    disconnected,
    // Counts of rate limits end by themselves.
    left: left.filter(
      (line) => !line.startsWith('qinbox:limit:') && [bob.id, BOB].some((mark) => line.includes(mark)),
    ),
    changed: [
      ...((await stage.tasksOf(ann.id)) === tasksOfAnn ? [] : ['number of tasks']),
      ...((await ofAnn()) === tasksOfAnn ? [] : ['tasks of nobody']),
      ...Object.keys(after.counts).filter(
        (kind) => JSON.stringify(after[kind as 'tasks']) !== JSON.stringify(file[kind as 'tasks']),
      ),
    ],
  };
}

export function describeAccount({ name, interrupted, lost, doubled, left }: AccountFates): string {
  const { imports, deletions } = interrupted;
  return `${name}: killed in ${imports} imports and ${deletions} deletions; ${lost.length} lost, ${doubled.length} doubled, ${left.length} left\n`;
}

/** What must have come of it, however often what was killed. */
export function expectedOf({ refused }: AccountFates): Partial<AccountFates> {
  const names = ['in', 'out', 'view'].flatMap((kind) =>
    Array.from({ length: INTAKES }, (_, index) => `${kind} ${index}`),
  );
  return {
    lost: [],
    doubled: [],
    settings: names.toSorted(),
    takenAgain: 0,
    refused: refused.map((_, index) => (index % 3 === 2 ? 404 : 401)),
    disconnected: true,
    left: [],
    changed: [],
  };
}
