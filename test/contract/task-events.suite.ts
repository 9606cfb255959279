// What webhooks are told of tasks is stored in the write of the change itself, on every driver.
import { beforeEach, describe, expect, it } from 'vitest';
import { editTask, resolveTask, snoozeTask } from '#core/domain/task.ts';
import type { WebhookPayload, WebhookRecord } from '#core/domain/webhook.ts';
import type { Storage } from '#core/ports/storage.ts';
import { insertOf, newOwner, webhookOf } from '#test/helpers/records.ts';
import { sweepOnce } from '#test/helpers/sweeps.ts';
import { submissionOf } from '#test/helpers/submissions.ts';
import { waitFor } from '#test/program/wait.ts';
import type { StorageHarness } from './harness.ts';
import { HOUR, useTasks } from './task-fixture.ts';

/** Runs the suite on a driver. */
export function describeTaskEvents(name: string, harness: StorageHarness): void {
  describe(`what webhooks are told: ${name}`, () => {
    const { current, submit, add, apply, acknowledge, restore, pin } = useTasks(harness);
    let storage: Storage;
    let second: Storage;
    let webhook: WebhookRecord;

    beforeEach(async () => {
      storage = current().under.storage;
      second = await current().under.another();
      webhook = await addWebhook();
    });

    async function addWebhook(fields: Partial<WebhookRecord> = {}): Promise<WebhookRecord> {
      const made = webhookOf(current().owner, fields);
      await storage.webhooks.create(made, 10);
      return made;
    }

    /** The events of a webhook in the order of their sequence, moved to it by another process. */
    async function told(to: WebhookRecord = webhook): Promise<string[]> {
      while (await second.work.moveOn(10));
      const all = await second.work.list(to.ownerId, to.id, 1000);
      return all
        .toSorted((a, b) => a.sequence - b.sequence)
        .map(({ payload }) => {
          const { type, task } = JSON.parse(payload) as WebhookPayload;
          return `${type} ${task.version}`;
        });
    }
    const sweep = async () => {
      while ((await sweepOnce(current().store, current().clock.now(), 10)).more);
    };

    it('is each change that its owner sees, as the task was then', async () => {
      const { id } = await add({ content: 'first' });
      await apply(id, (task) => editTask(task, { content: 'second' }, current().clock.now()));
      await acknowledge(id);
      await restore(id);
      await pin(id);
      await pin(id, false);
      await apply(id, (task) => snoozeTask(task, current().clock.now() + HOUR, current().clock.now()));
      expect(await told()).toEqual([
        'task.created 1',
        'task.updated 2',
        'task.acknowledged 3',
        'task.updated 4',
        'task.updated 5',
        'task.updated 6',
        'task.updated 7',
      ]);
      const [created] = (await storage.work.list(current().owner, webhook.id, 10)).toReversed();
      const { task } = JSON.parse(created?.payload ?? '{}') as WebhookPayload;
      expect(task).toMatchObject({ id, content: 'first', ownerId: current().owner });
      expect(created).toMatchObject({ key: id, lane: webhook.id, status: 'waiting', attempts: 0 });
    });

    it('is told of in its process at once, in lanes, and once while others move it too', async () => {
      let isTold = false;
      storage.onWork(() => (isTold = true));
      await add({ content: 'before the webhook is heard of everywhere' });
      const ids = await Promise.all(Array.from({ length: 20 }, async () => (await add({})).id));
      await waitFor('the work', () => isTold);
      await Promise.all(ids.map((id) => acknowledge(id)));
      const lanes: string[] = [];
      const moveOwn = async () => {
        const moved = await storage.work.moveOwn(7);
        lanes.push(...moved.lanes);
        return moved.more;
      };
      await Promise.all([moveOwn(), second.work.moveOn(5), moveOwn(), second.work.moveOn(5)]);
      while (await moveOwn());
      // No other process had to look for the rest.
      const all = await storage.work.list(current().owner, webhook.id, 1000);
      for (const id of ids) {
        const ofTask = all.filter(({ key }) => key === id);
        expect(ofTask.map(({ sequence }) => sequence).toSorted()).toEqual([2, 4]);
      }
      expect([...new Set(lanes)]).toEqual([webhook.id]);
      expect((await told()).length).toBe(41);
    });

    it('is that a task expired, once over all sweeps, also while its earlier events wait', async () => {
      const waiting = await add({ expiryMinutes: 1 });
      current().clock.advance(HOUR);
      await Promise.all([sweep(), sweepOnce(second.tasks, current().clock.now(), 10)]);
      await sweep();
      expect(await told()).toEqual(['task.created 1', 'task.expired 1']);
      // Nothing that was not told yet is removed with its task.
      const other = await add({ expiryMinutes: 1 });
      current().clock.advance(24 * HOUR);
      await sweep();
      await sweep();
      expect((await told()).length).toBe(4);
      expect(waiting.id).not.toBe(other.id);
    });

    it('is nothing where nothing was changed, was refused, or is not seen', async () => {
      const { id } = await add({ dedupeKey: 'k', reopens: false });
      await pin(id, false);
      await acknowledge(id);
      await acknowledge(id);
      // Counted on a task that is out of the queue.
      await add({ dedupeKey: 'k', reopens: false });
      await apply(id, (task) => resolveTask(task, current().clock.now()));
      expect(await told()).toEqual(['task.created 1', 'task.acknowledged 2']);
    });

    it('is a repeat once, however often its submission comes', async () => {
      const [first, again] = [insertOf({ dedupeKey: 'k' }), insertOf({ dedupeKey: 'k' })];
      for (const store of [storage, second, storage])
        for (const insert of [first, again])
          await store.tasks.create(
            submissionOf({ ownerId: current().owner, inserts: [insert], at: current().clock.now() }),
          );
      expect(await told()).toEqual(['task.created 1', 'task.updated 2']);
    });

    it('is what a webhook wants of whom it belongs to, in every process, from its first moment', async () => {
      const high = await addWebhook({ filter: { priorities: ['high'], intakes: [], tags: [] } });
      const tagged = await addWebhook({ filter: { priorities: [], intakes: [], tags: ['a', 'b'] } });
      const ended = await addWebhook({ events: ['task.acknowledged'] });
      const through = await addWebhook({ filter: { priorities: [], intakes: ['in_1'], tags: [] } });
      const silent = [
        await addWebhook({ paused: true }),
        await addWebhook({ off: { at: 1, reason: 'gone' } }),
      ];
      const stranger = webhookOf(newOwner());
      await storage.webhooks.create(stranger, 10);
      const intake = { id: 'in_1', name: 'x', deliveryId: 'd' };
      await submit([
        insertOf({ priority: 'high', tags: ['b'] }),
        insertOf({ tags: ['c'] }),
        insertOf({ intake }),
      ]);
      const { id } = await add();
      await acknowledge(id);
      const counts: number[] = [];
      for (const one of [webhook, high, tagged, ended, through, ...silent, stranger])
        counts.push((await told(one)).length);
      expect(counts).toEqual([5, 1, 1, 1, 1, 0, 0, 0]);
    });

    it('ends when the webhook is paused or removed, in the process that did it at once', async () => {
      await add();
      await storage.webhooks.change(current().owner, webhook.id, (one) => ({ ...one, paused: true }));
      await add();
      expect(await told()).toHaveLength(1);
      await storage.webhooks.change(current().owner, webhook.id, (one) => ({ ...one, paused: false }));
      await add();
      await storage.webhooks.remove(current().owner, webhook.id);
      await add();
      expect(await told()).toHaveLength(2);
    });

    it('is all of very many changes of many tasks at once, moved by several processes at once', async () => {
      const made = await submit(Array.from({ length: 60 }, () => insertOf()));
      await Promise.all(
        made.map(async ({ task }, index) => {
          if (index % 2 === 0) await pin(task.id);
          await acknowledge(task.id);
          await storage.work.moveOn(20).catch(() => {});
        }),
      );
      await Promise.all([storage.work.moveOn(50), second.work.moveOn(50)]);
      const all = await told();
      expect(all).toHaveLength(60 + 30 + 60);
      expect(all.filter((one) => one.startsWith('task.acknowledged'))).toHaveLength(60);
    });
  });
}
