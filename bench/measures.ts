// What is measured and what is promised of it. Each measure starts its own servers and ends them.
import { creating, fill, listing, startQinbox, startReference, withServers } from './measure/field.ts';
import { loadSlice, openLoop, residentMiB } from './measure/load.ts';
import { alternate, type Rounds } from './measure/rounds.ts';
import { summarise, type Goal, type Summary } from './measure/stats.ts';

export interface Result {
  measure: string;
  value: Summary;
  unit: string;
  goal: Goal;
  /** Set when the machine itself was seen to be too busy for this measure. */
  machineBusy?: boolean;
}

export interface Rate {
  server: string;
  perSecond: number;
  cpuMicroseconds: number;
}

export interface Outcome {
  results: Result[];
  rates: Rate[];
}

export interface Settings {
  rounds: number;
  seconds: number;
}

/** When a server that only echoes needs this long at p99, the delay is the machine's. */
const FLOOR_MS = 5;

const exactly = (value: number): Summary => ({ median: value, q1: value, q3: value });
const rates = (rounds: Rounds, names: string[]): Rate[] =>
  names.map((server) => ({
    server,
    perSecond: rounds.perSecond(server),
    cpuMicroseconds: rounds.cpu(server),
  }));

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
          goal: { atLeast: 0.7 },
        },
        {
          measure: `${name} ÷ one synced INSERT each`,
          value: done.ratio(name, 'one synced INSERT each'),
          unit: '×',
          goal: { atLeast: 3.5 },
        },
      ],
      rates: rates(
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
      rates: rates(done, [short.name, big.name, select.name]),
    };
  });
}

/**
 * Latency at half of the peak, open loop, beside that of a server that only echoes; then memory after 100,000
 * tasks were created one by one.
 */
function soak({ seconds }: Settings): Promise<Outcome> {
  return withServers(async (start) => {
    const own = await start(startQinbox());
    const echo = creating('raw http echo', await start(startReference('echo')));
    const target = creating('Qinbox POST /tasks', own, own.keyOf('soak@example.com'));
    for (const warm of [echo, target]) await loadSlice(warm, 1);
    const { perSecond: peak } = await loadSlice(target, Math.max(2, seconds));
    const p99s: number[] = [];
    const floor: number[] = [];
    for (let run = 0; run < 5; run++) {
      floor.push((await openLoop(echo, peak / 2, 1)).p99);
      p99s.push((await openLoop(target, peak / 2, 3)).p99);
    }
    const key = target.key ?? '';
    for (let made = await total(own.url, key); made < 100_000; made = await total(own.url, key))
      await loadSlice(target, 3);
    return {
      results: [
        {
          measure: 'open loop at half of peak, p99',
          value: summarise(p99s),
          machineBusy: summarise(floor).median > FLOOR_MS,
          unit: 'ms',
          goal: { atMost: 25 },
        },
        {
          measure: 'resident memory after 100,000 creates',
          value: exactly(residentMiB(own.pid)),
          unit: 'MiB',
          goal: { atMost: 200 },
        },
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
export const measures = { create, list, soak } as const;
export type MeasureName = keyof typeof measures;
