// The orders of a list: one place for each task, whatever the texts, and the order of UTF-8 among names.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCodePoints, compareInOrder, type OrderedTask } from './order.ts';
import type { TaskOrder } from './tasks.ts';

const ORDERS: TaskOrder[] = ['newest', 'priority', 'expiry', 'source', 'intake', 'tag'];
const text = fc.string({ unit: 'binary', maxLength: 4 });
const name = fc.oneof(fc.constantFrom('', 'a', 'A', 'b', '🛟', '\uFF5E'), text);
const task: fc.Arbitrary<OrderedTask> = fc.record({
  id: fc.string({ unit: fc.constantFrom('A', 'a', '0'), minLength: 3, maxLength: 3 }),
  pinned: fc.boolean(),
  priority: fc.constantFrom('high', 'normal', 'low'),
  expiresAt: fc.integer({ min: 0, max: 3 }),
  source: name,
  tags: fc.array(name, { maxLength: 2 }),
  intake: fc.option(fc.record({ name })),
});
const sign = (value: number) => Math.sign(value) + 0;

describe.each(ORDERS)('the order by %s', (order) => {
  it('gives each task one place, pinned ones first', () => {
    fc.assert(
      fc.property(task, task, task, (a, b, c) => {
        expect(sign(compareInOrder(a, b, order))).toBe(-sign(compareInOrder(b, a, order)) + 0);
        if (compareInOrder(a, b, order) <= 0 && compareInOrder(b, c, order) <= 0)
          expect(compareInOrder(a, c, order)).toBeLessThanOrEqual(0);
        if (a.pinned && !b.pinned) expect(compareInOrder(a, b, order)).toBeLessThan(0);
      }),
    );
  });

  it('is the same for times as text and as numbers', () => {
    fc.assert(
      fc.property(task, task, (a, b) => {
        const asText = (one: OrderedTask) => ({
          ...one,
          expiresAt: new Date(Number(one.expiresAt)).toISOString(),
        });
        expect(sign(compareInOrder(asText(a), asText(b), order))).toBe(sign(compareInOrder(a, b, order)));
      }),
    );
  });
});

it('compares texts as their bytes in UTF-8 compare', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
      expect(sign(compareCodePoints(a, b))).toBe(bytes + 0);
    }),
  );
});
