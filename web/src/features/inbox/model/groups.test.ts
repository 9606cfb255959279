import { describe, expect, test } from 'vitest';
import { aTask } from '../../../../test/tasks.ts';
import { groupTasks } from './groups.ts';
import type { TaskOrder } from '#core/contract/index.ts';
import { compareIn } from './order.ts';

const intake = { id: 'int_1', name: 'NAS', deliveryId: 'dlv_1' };
const tasks = [
  aTask({ pinned: true, source: 'slack', priority: 'low' }),
  aTask({ source: 'email', tags: ['b'], priority: 'low', ageMs: 120_000 }),
  aTask({ source: 'Cron', intake, tags: ['a', 'b'], priority: 'high', ageMs: 60_000 }),
];

function headings(order: TaskOrder, complete: boolean) {
  const sorted = tasks.toSorted(compareIn(order));
  return groupTasks(sorted, { order, complete, now: Date.now() }).flatMap((item) =>
    item.kind === 'heading' ? [`${item.label} ${item.count ?? '?'}`] : [],
  );
}

describe('headings', () => {
  test.each([
    ['newest', ['Pinned 1', 'New 2']],
    ['source', ['Pinned 1', 'Cron 1', 'Email 1']],
    ['intake', ['Pinned 1', 'NAS 1', 'No intake 1']],
    ['tag', ['Pinned 1', '#a 1', '#b 1']],
    ['priority', ['Pinned 1', 'High priority 1', 'Low priority 1']],
    ['expiry', ['Pinned 1', 'By time left 2']],
  ] as const)('of the order %s', (order, expected) => expect(headings(order, true)).toEqual(expected));

  test('count a group only once all of it must be there', () => {
    expect(headings('source', false)).toEqual(['Pinned 1', 'Cron 1', 'Email ?']);
    expect(headings('newest', false)).toEqual(['Pinned 1', 'New ?']);
  });
});
