// News of a task may overtake each other on their way to Slack; the latest has the last word, and each URL
// wears out after five uses.
import { expect, it } from 'vitest';
import { newTask, type Task } from '#core/domain/task.ts';
import type { TaskEvent } from '#core/ports/adapter/context.ts';
import type { ListenerDeps } from './listener.ts';
import { placeOfUrl, type Confirmation } from '../records/records.ts';
import { createOutbox } from '../web-api/outbox.ts';
import { followTasks } from './task-updates.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { draft } from '#test/helpers/records.ts';

function following(confirmationOf: () => Promise<Confirmation | null>) {
  const note = () => undefined;
  const log = { debug: note, info: note, warn: note, error: note };
  const outbox = createOutbox(log);
  const said: string[] = [];
  const stored: Confirmation[] = [];
  const listeners: ((event: TaskEvent) => void)[] = [];
  followTasks({
    acting: new Map(),
    log,
    outbox,
    clock: createFakeClock(0),
    api: { respond: (_url: string, body: object) => Promise.resolve(void said.push(JSON.stringify(body))) },
    records: {
      confirmationOf,
      confirm: (_id: string, confirmation: Confirmation) => Promise.resolve(void stored.push(confirmation)),
    },
    watch: (listener: (event: TaskEvent) => void) => void listeners.push(listener),
  } as unknown as ListenerDeps);
  return {
    said,
    stored,
    outbox,
    publish: (task: Task) => listeners.forEach((each) => each({ type: 'task.updated', task })),
  };
}

const first = newTask(draft({ content: 'x', source: 'slack' }), 'task_1', 'user_1', 0);
const pinned: Task = { ...first, pinned: true, version: 2 };
const unpinned: Task = { ...first, version: 3 };

it('the latest version is shown last, whichever is read first', async () => {
  const place = placeOfUrl('https://hooks.slack.com/x', 0);
  let reads = 0;
  // The first is read and done with before the second is read.
  const { said, outbox, publish } = following(async () => {
    if (reads++ > 0) await new Promise((resolve) => setImmediate(resolve));
    return { teamId: 'T1', place };
  });
  publish(pinned);
  publish(unpinned);
  await outbox.stop();
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('confirm.pin');
});

it('a URL that was used five times, and a task of another source, are left alone', async () => {
  let place = placeOfUrl('https://hooks.slack.com/x', 0);
  const { said, stored, outbox, publish } = following(() => Promise.resolve({ teamId: 'T1', place }));
  for (let version = 2; version < 9; version++) {
    publish({ ...first, version });
    await outbox.stop();
    place = stored.at(-1)?.place ?? place;
  }
  publish({ ...first, version: 9, source: 'api' });
  await outbox.stop();
  // The answer to the command was the first of the five.
  expect(said).toHaveLength(4);
});
