// `npm run bench -- webhooks`: from the time of a new task to its message at a webhook's receiver, at 50
// tasks a second, embedded and, where Redis and a MongoDB server can be had, in production size: alone,
// beside five other webhooks whose receivers answer, and beside five whose receivers never do. Goals: p95 at
// most 50 ms, and five that hang cost no more than five that answer. Exit 0: met; 1: missed; 2: the machine
// was too busy to judge.
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { signInAt, startEmbedded, startProduction, type Stage } from '#test/faults/webhooks-out.ts';
import { addReceivers, latencies } from '#test/faults/webhooks-paced.ts';
import { number, printTable } from './measure/report.ts';

const GOAL_MS = 50;
/** Beside five that hang over beside five that answer, at most: what one run differs from another. */
const GOAL_RATIO = 1.25;
const OTHERS = 5;
/** With more than this waiting for each core before it began, a goal that is missed is not judged. */
const MAX_BUSY_SHARE = 0.5;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    tasks: { type: 'string', default: '500' },
    size: { type: 'string', default: 'embedded,production' },
  },
});
const rounds = Number(options.rounds);
const tasks = Number(options.tasks);

const CASES = ['alone', 'beside five that answer', 'beside five that hang'] as const;
type Case = (typeof CASES)[number];

async function measure(stage: Stage): Promise<Map<Case, number[]>> {
  const call = await signInAt(stage);
  const { receivers, remove } = await addReceivers(call, 'quick', 1);
  const [quick] = receivers;
  if (quick === undefined) throw new Error('there is no receiver');
  const others = {
    alone: async () => async () => {},
    'beside five that answer': async () => (await addReceivers(call, 'other', OTHERS)).remove,
    'beside five that hang': async () => (await addReceivers(call, 'hanging', OTHERS, () => {})).remove,
  };
  const took = new Map<Case, number[]>(CASES.map((name) => [name, []]));
  await latencies(call, quick, tasks);
  for (let round = 0; round < rounds; round++)
    // Each is first, second and last in turn.
    for (const name of [...CASES.slice(round % 3), ...CASES.slice(0, round % 3)]) {
      const removeOthers = await others[name]();
      took.get(name)?.push(...(await latencies(call, quick, tasks)));
      await removeOthers();
    }
  await remove();
  return took;
}

const at = (took: readonly number[], share: number) =>
  took.toSorted((a, b) => a - b)[Math.ceil(share * took.length) - 1] ?? Number.NaN;

const busyShare = (loadavg()[0] ?? 0) / cpus().length;
const rows: string[][] = [];
let isMet = true;
for (const [size, start] of [
  ['embedded', startEmbedded],
  ['production', startProduction],
] as const) {
  if (!options.size.split(',').includes(size)) continue;
  const stage = await start();
  if ('missing' in stage) {
    rows.push([size, stage.missing]);
    continue;
  }
  const took = await measure(stage);
  await stage.stop();
  for (const [name, all] of took)
    rows.push([
      `${size}, ${name}`,
      String(all.length),
      ...[0.5, 0.95, 0.99, 1].map((share) => number(at(all, share))),
    ]);
  const p95 = CASES.map((name) => at(took.get(name) ?? [], 0.95));
  const [alone = Number.NaN, answering = Number.NaN, hanging = Number.NaN] = p95;
  isMet &&= alone <= GOAL_MS && hanging <= answering * GOAL_RATIO;
}
printTable(['from the event to its message, ms', 'messages', 'p50', 'p95', 'p99', 'max'], rows);
console.log(
  `Goals: p95 alone at most ${GOAL_MS} ms, beside five that hang at most ${GOAL_RATIO} of beside five that answer: ${isMet ? 'met' : 'missed'}.`,
);
if (!isMet) process.exitCode = busyShare > MAX_BUSY_SHARE ? 2 : 1;
