// `npm run bench -- batches`: milliseconds that the production size's store takes for tasks that come
// together: a batch of the API, its repeats, what is acknowledged at once, and tasks of an account's file.
// Options: [--tasks 100]. Exit 0; 2: no MongoDB server can be had.
import { parseArgs } from 'node:util';
import { openMongoStorage } from '#adapters/mongodb/storage.ts';
import { acknowledgeTask, newTask } from '#core/domain/task.ts';
import { systemClock } from '#core/system-clock.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { onMongo } from './measure/mongo.ts';
import { number, printTable } from './measure/report.ts';
import { summarise } from './measure/stats.ts';

const ROUNDS = 31;
/** Not counted. */
const WARM_ROUNDS = 5;

const { values } = parseArgs({ options: { tasks: { type: 'string', default: '100' } } });
const size = Number(values.tasks);

async function measure(url: string): Promise<void> {
  const storage = await openMongoStorage({ url, clock: systemClock });
  const { tasks, ownerData } = storage;
  const some = <T>(make: (index: number) => T) => Array.from({ length: size }, (_, index) => make(index));
  const took = new Map<string, number[]>();
  async function timed(name: string, call: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    await call();
    took.set(name, [...(took.get(name) ?? []), performance.now() - began]);
  }
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
    if (round === WARM_ROUNDS) took.clear();
    const [ownerId, at] = [newOwner(), Date.now()];
    const keyed = (index: number) => ({ dedupeKey: `key ${index}` });
    const create = (inserts: ReturnType<typeof insertOf>[]) =>
      tasks.create(submissionOf({ ownerId, inserts, at }));
    const plain = some(() => insertOf());
    await timed('created', () => create(plain));
    await timed('created with dedupe keys', () => create(some((index) => insertOf(keyed(index)))));
    await timed('repeated', () => create(some((index) => insertOf(keyed(index)))));
    const ids = plain.map(({ id }) => id);
    await timed('acknowledged', () => tasks.change(ownerId, ids, (task) => acknowledgeTask(task, at)));
    const other = newOwner();
    const file = some((index) => insertOf(keyed(index))).map(({ id, draft }) =>
      newTask(draft, id, other, at),
    );
    await timed('taken from a file', () => ownerData.addTasks(other, file));
  }
  const rows = [...took].map(([name, times]) => {
    const { median, q1, q3 } = summarise(times);
    return [name, number(median), `${number(q1)} – ${number(q3)}`];
  });
  printTable([`${size} tasks`, 'ms', 'quartiles'], rows);
  await storage.close();
}

await onMongo(measure);
