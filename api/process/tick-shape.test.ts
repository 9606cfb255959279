import { expect, it } from 'vitest';
import { root, runOnce } from '#test/program/program.ts';

/**
 * Calls `nextTick` before and after a full collection, and prints what V8 has learned about its object. A few
 * times: after thousands, a collection on a busy machine spares the classes now and then.
 */
const SCRIPT = `
  import { setImmediate as turn } from 'node:timers/promises';
  import { keepShapeOfTicks } from '#api/process/tick-shape.ts';
  if (process.env.KEEP === 'yes') keepShapeOfTicks();
  const ticks = async () => {
    for (let turns = 0; turns < 2; turns++) {
      for (let i = 0; i < 10; i++) process.nextTick(() => {});
      await turn();
    }
  };
  await ticks();
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  await ticks();
  %DebugPrint(process.nextTick);
`;

/** What V8 knows at each place of `nextTick` where a part of its object is written. */
function learned(keep: 'yes' | 'no'): string[] {
  const flags = ['--allow-natives-syntax', '--expose-gc', '--input-type=module'];
  const printed = runOnce(process.execPath, [...flags, '--eval', SCRIPT], root, { KEEP: keep });
  return [...printed.matchAll(/DefineKeyedOwnPropertyInLiteral (\w+)/g)].map(([, state = '']) => state);
}

it('lets V8 know the shape of a tick after a full collection', () => {
  expect(new Set(learned('yes'))).toEqual(new Set(['MONOMORPHIC']));
});

it('is needed: without it V8 gives up on the shape', () => {
  expect(learned('no')).toContain('MEGAMORPHIC');
});
