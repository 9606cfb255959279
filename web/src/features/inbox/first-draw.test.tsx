import { render } from '@testing-library/react';
import { useReducer } from 'react';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Task } from '#core/contract/index.ts';
import { aTask } from '../../../test/tasks.ts';
import { draw } from '../../lib/draw.ts';
import { ticker } from '../../lib/services.ts';
import { FirstList } from './screen/first-list.tsx';

const HOUR = 3_600_000;
const LONG = 60;

// A text that is long is more than two lines.
beforeEach(() => {
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockImplementation(function height(this: Element) {
    return this.textContent.length > LONG ? 100 : 0;
  });
});
afterEach(() => document.body.replaceChildren());

const time = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((ms) => new Date(Date.now() + ms).toISOString());

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }),
  fc.constantFrom(
    'See https://ci.example.com/runs/118, then\n\nwrite',
    '<b>no</b> & "markup"',
    'long '.repeat(120),
  ),
);

const tasks: fc.Arbitrary<Task[]> = fc
  .array(
    fc.record({
      content: text,
      priority: fc.constantFrom('high', 'normal', 'low'),
      source: fc.constantFrom('api', 'web', 'email', 'webhook:ci', 'slack'),
      createdAt: time(-24 * HOUR, 0),
      expiresAt: time(1, 48 * HOUR),
      snoozedUntil: fc.option(time(-HOUR, HOUR)),
      pinned: fc.boolean(),
      occurrences: fc.integer({ min: 1, max: 3 }),
      tags: fc.uniqueArray(fc.constantFrom('ops', 'nas-1', 'db', 'ä"<'), { maxLength: 4 }),
      metadata: fc.constantFrom<Record<string, unknown>>(
        {},
        { url: 'https://example.com/1' },
        { url: 'javascript:alert(1)' },
        { title: 'More', note: 'to read' },
        { status: 'resolved', resolvedAt: '2026-11-25T08:00:00.000Z' },
      ),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((all) => all.map((fields, at) => aTask({ ...(fields as Partial<Task>), id: `task_${at}` })));

const listOf = (all: readonly Task[], more: number, snoozed: number) => (
  <FirstList
    page={{
      tasks: [...all],
      pagination: { limit: 50, offset: 0, total: all.length + more, returned: all.length },
      statistics: { total: all.length + more, high: 1, normal: 2, low: 3, pinned: 0, snoozed },
    }}
    onChoose={() => undefined}
    onSnoozed={() => undefined}
  />
);

test('the first list that is drawn without react-dom is the one that React draws', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  // Both read the ticker's time, which goes on while somebody listens.
  const stop = ticker.subscribe(() => undefined);
  const seen = { buttons: 0, bars: 0, links: 0 };
  await fc.assert(
    fc.asyncProperty(tasks, fc.nat({ max: 2 }), fc.nat({ max: 1 }), async (all, more, snoozed) => {
      const list = listOf(all, more, snoozed);
      const drawn = document.createElement('div');
      document.body.append(drawn);
      await draw(list, drawn);
      const { container, unmount } = render(list);
      if (!drawn.isEqualNode(container)) expect(drawn.innerHTML).toBe(container.innerHTML);
      expect(drawn.isEqualNode(container)).toBe(true);
      seen.buttons += drawn.querySelectorAll('[aria-expanded=false]:not([aria-haspopup])').length;
      seen.bars += drawn.querySelectorAll('[style]').length;
      seen.links += drawn.querySelectorAll('a[href]').length;
      unmount();
      drawn.remove();
    }),
    { numRuns: 60 },
  );
  stop();
  vi.useRealTimers();
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});

test('what cannot be drawn without react-dom is refused, and what is there stays', async () => {
  const Unknown = () => useReducer((count: number) => count, 1)[0];
  const into = document.createElement('div');
  into.append('as it was');
  await expect(draw(<Unknown />, into)).rejects.toThrow('useReducer');
  expect(into.textContent).toBe('as it was');
});

test('a long list is built in steps, between which other things happen, and shown at once', async () => {
  const into = document.createElement('div');
  const seen: number[] = [];
  const Slow = () => {
    beBusy(6);
    setTimeout(() => seen.push(into.childElementCount));
    return <p>slow</p>;
  };
  await draw(
    [1, 2, 3, 4, 5].map((key) => <Slow key={key} />),
    into,
  );
  expect(into.childElementCount).toBe(5);
  expect(seen.length).toBeGreaterThanOrEqual(2);
  expect(new Set(seen)).toEqual(new Set([0]));
});

function beBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
