// What is measured and what is promised of it. Each measure starts its own servers and ends them.
import { setTimeout as after } from 'node:timers/promises';
import { rest, REST_MS, stops, tail } from './latency.ts';
import { creating, fill, listing, startQinbox, startReference, withServers } from './measure/field.ts';
import { loadSlice, residentMiB } from './measure/load.ts';
import { alternate, ratesOf } from './measure/rounds.ts';
import { fanOut, peers } from './peers.ts';
import { single, type Outcome, type Settings } from './measure/outcome.ts';

/** POST /tasks through the whole stack against the reference servers. */
function create({ rounds, seconds }: Settings): Promise<Outcome> {
  return withServers(async (start) => {
    const echo = await start(startReference('echo'));
    const bare = await start(startReference('bare'));
    const each = await start(startReference('each'));
    const group = await start(startReference('group'));
    const own = await start(startQinbox());
    const targets = [
      creating('raw http echo', echo),
      creating('bare Fastify', bare),
      creating('one synced INSERT each', each),
      creating('Qinbox POST /tasks', own, own.keyOf('bench@example.com')),
      creating('group commit', group),
    ];
    const done = await alternate(targets, rounds, seconds);
    const name = 'Qinbox POST /tasks';
    return {
      results: [
        {
          measure: `${name} ÷ group commit`,
          value: done.ratio(name, 'group commit'),
          unit: '×',
          goal: { atLeast: 0.72 },
        },
        {
          measure: `${name} ÷ one synced INSERT each`,
          value: done.ratio(name, 'one synced INSERT each'),
          unit: '×',
          goal: { atLeast: 3.5 },
        },
      ],
      rates: ratesOf(
        done,
        targets.map((target) => target.name),
      ),
    };
  });
}

/** GET /tasks?limit=50 with statistics against a bare SELECT, and a short queue against a long one. */
function list({ rounds, seconds }: Settings): Promise<Outcome> {
  const long = 100_000;
  return withServers(async (start) => {
    const bare = await start(startReference('group', long));
    const own = await start(startQinbox());
    const [few, many] = [own.keyOf('few@example.com'), own.keyOf('many@example.com')];
    await fill(own, few, 100);
    await fill(own, many, long);
    const short = listing('Qinbox GET /tasks, 100 tasks', own, few);
    const big = listing('Qinbox GET /tasks, 100,000 tasks', own, many);
    const select = listing('SELECT 50 and stringify', bare);
    const done = await alternate([short, big, select], rounds, seconds);
    return {
      results: [
        {
          measure: 'Qinbox GET /tasks ÷ SELECT 50 and stringify',
          value: done.ratio(big.name, select.name),
          unit: '×',
          goal: { atLeast: 0.7 },
        },
        {
          measure: 'GET /tasks: time at 100,000 tasks ÷ at 100',
          value: done.ratio(short.name, big.name),
          unit: '×',
          goal: { atMost: 1.3 },
        },
      ],
      rates: ratesOf(done, [short.name, big.name, select.name]),
    };
  });
}

/** POST /tasks of one owner, and of 40 in turn, whose counts each commit has to write. */
function owners({ rounds, seconds }: Settings): Promise<Outcome> {
  return withServers(async (start) => {
    const own = await start(startQinbox());
    const one = creating('POST /tasks, one owner', own, own.keyOf('one@example.com'));
    const keys = Array.from({ length: 40 }, (_, index) => own.keyOf(`owner${index}@example.com`));
    const many = { ...creating('POST /tasks, 40 owners', own), url: one.url, keys };
    const done = await alternate([one, many], rounds, seconds);
    return {
      results: [
        {
          measure: 'POST /tasks: rate with 40 owners ÷ with one',
          value: done.ratio(many.name, one.name),
          unit: '×',
          goal: { atLeast: 0.8 },
        },
      ],
      rates: ratesOf(done, [one.name, many.name]),
    };
  });
}

/** Memory after 100,000 tasks were created one by one. */
function soak(): Promise<Outcome> {
  return withServers(async (start) => {
    const own = await start(startQinbox());
    const target = creating('Qinbox POST /tasks', own, own.keyOf('soak@example.com'));
    const key = target.key ?? '';
    for (let made = 0; made < 100_000; made = await total(own.url, key)) await loadSlice(target, 1);
    const before = residentMiB(own.pid);
    await after(REST_MS);
    return {
      results: [
        single('resident memory right after 100,000 creates', before, 'MiB', 130),
        single('the same, 45 s of rest later', residentMiB(own.pid), 'MiB', 130),
      ],
      rates: [],
    };
  });
}

async function total(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/tasks/stats/summary`, { headers: { 'x-api-key': key } });
  return ((await answer.json()) as { statistics: { total: number } }).statistics.total;
}

/** Every measure by the name that `--only` takes. */
export const measures = { create, peers, owners, list, tail, stops, fanOut, soak, rest } as const;
export type MeasureName = keyof typeof measures;
