// What is stored of a repeat: how much, and as an older version did, which was the whole outcome.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { acknowledgeTask } from '#core/domain/task.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { insertOf, newOwner } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { openSqliteStorage } from './storage.ts';

it('a repeat that an older version stored is not counted again, and goes with its owner', async () => {
  const file = join(createTempDir(), 'qinbox.db');
  const clock = createFakeClock();
  const ownerId = newOwner();
  const [first, repeat] = [insertOf({ dedupeKey: 'k' }), insertOf({ dedupeKey: 'k' })];
  const submission = submissionOf({ ownerId, inserts: [repeat], at: clock.now() });

  const older = openSqliteStorage({ file, clock });
  await older.tasks.create(submissionOf({ ownerId, inserts: [first], at: clock.now() }));
  const outcome = await older.tasks.create(submission);
  await older.tasks.change(ownerId, [first.id], (task) => acknowledgeTask(task, clock.now()));
  await older.close();
  const answer = JSON.stringify('outcomes' in outcome && outcome.outcomes?.[0]);
  expect(JSON.parse(answer)).toMatchObject({ task: { id: first.id, ownerId }, created: false });
  const db = new DatabaseSync(file);
  const rows = () => Number(db.prepare('SELECT count(*) AS rows FROM applied_orders').get()?.['rows']);
  expect(db.prepare('UPDATE applied_orders SET answer = ? WHERE id = ?').run(answer, repeat.id).changes).toBe(
    1,
  );

  const storage = openSqliteStorage({ file, clock });
  try {
    expect(await storage.tasks.create(submission)).toMatchObject({
      outcomes: [{ task: { id: first.id, occurrences: 2, acknowledgedAt: clock.now() }, created: false }],
    });
    expect(rows()).toBe(1);
    await storage.ownerData.erase(ownerId);
    expect(rows()).toBe(0);
  } finally {
    db.close();
    await storage.close();
  }
});

it('the latest 50,000 repeats are remembered, however many there are in a day', async () => {
  const file = join(createTempDir(), 'qinbox.db');
  const clock = createFakeClock();
  const storage = openSqliteStorage({ file, clock });
  onTestFinished(() => storage.close());
  const ownerId = newOwner();
  const submit = (insert: ReturnType<typeof insertOf>) =>
    storage.tasks.create(submissionOf({ ownerId, inserts: [insert], at: clock.now() }));
  await submit(insertOf({ dedupeKey: 'k' }));

  const db = new DatabaseSync(file);
  onTestFinished(() => db.close());
  const add = db.prepare('INSERT INTO applied_orders (id, answer, forget_at) VALUES (?, ?, ?)');
  db.exec('BEGIN');
  for (let n = 0; n < 51_200; n++) add.run(`task_${n}`, '{}', clock.now() + 60_000);
  db.exec('COMMIT');
  const latest = insertOf({ dedupeKey: 'k' });
  await submit(latest);

  while ((await sweepOnce(storage.tasks, clock.now(), 500)).more);
  const ids = db
    .prepare('SELECT id FROM applied_orders ORDER BY rowid')
    .all()
    .map(({ id }) => id);
  expect(ids).toHaveLength(50_000);
  expect([ids[0], ids.at(-1)]).toEqual(['task_1201', latest.id]);
  expect(await submit(latest)).toMatchObject({ outcomes: [{ task: { occurrences: 2 }, created: false }] });
});
