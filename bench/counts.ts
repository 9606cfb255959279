// `npm run bench -- counts`: milliseconds that the counts of a long queue take of the production size's
// store: one reader, and many at once, as after an event. Options: [--tasks 40000] [--readers 20]. Exit 0; 2:
// no MongoDB server can be had.
import { parseArgs } from 'node:util';
import { openMongoStorage } from '#adapters/mongodb/storage.ts';
import { systemClock } from '#core/system-clock.ts';
import { insertOf } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { onMongo } from './measure/mongo.ts';
import { number, printTable } from './measure/report.ts';

const OWNER = 'usr_measured';
const BATCH = 200;
const ROUNDS = 31;

const { values } = parseArgs({
  options: { tasks: { type: 'string', default: '40000' }, readers: { type: 'string', default: '20' } },
});

async function medianOf(call: () => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  await call();
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    await call();
    took.push(performance.now() - began);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

async function measure(url: string): Promise<void> {
  const storage = await openMongoStorage({ url, clock: systemClock });
  const { tasks } = storage;
  const priorities = ['low', 'normal', 'high'] as const;
  for (let made = 0; made < Number(values.tasks); made += BATCH) {
    const inserts = Array.from({ length: BATCH }, (_, index) =>
      insertOf({ priority: priorities[index % 3] ?? 'low', metadata: { text: 'x'.repeat(400) } }),
    );
    await tasks.create(submissionOf({ ownerId: OWNER, inserts, at: Date.now() }));
  }
  const statistics = () => tasks.statistics(OWNER, Date.now());
  const revision = () => tasks.revision(OWNER, Date.now());
  const list = () => tasks.list({ ownerId: OWNER, filter: {}, limit: 100, offset: 0, now: Date.now() });
  const fetched = async () => {
    await revision();
    await list();
  };
  const readers = Array.from({ length: Number(values.readers) });
  const rows: [string, () => Promise<unknown>][] = [
    ['statistics', statistics],
    ['revision', revision],
    ['a list of 100', list],
    ['a revision, then a list', fetched],
    [`the same, ${values.readers} readers at once`, () => Promise.all(readers.map(fetched))],
  ];
  const took: string[][] = [];
  for (const [name, call] of rows) took.push([name, number(await medianOf(call))]);
  printTable([`${values.tasks} tasks`, 'ms'], took);
  await storage.close();
}

await onMongo(measure);
