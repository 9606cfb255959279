// Work of adapters: nothing begun is left behind, and repeats end.
import { expect, it } from 'vitest';
import { trackWork } from './in-flight.ts';

const warnings: unknown[] = [];
const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (fields: object) => void warnings.push(fields),
  error: () => undefined,
};

it('is waited for, what is added meanwhile included, and what fails is logged', async () => {
  const work = trackWork(log);
  const events: string[] = [];
  const first = Promise.withResolvers<void>();
  async function begun(): Promise<void> {
    await first.promise;
    work.add(Promise.reject(new Error('second')).finally(() => events.push('second')));
    events.push('first');
  }
  work.add(begun());
  const done = work.done().then(() => events.push('done'));
  first.resolve();
  await done;
  expect(events).toEqual(['first', 'second', 'done']);
  expect(warnings).toEqual([{ err: new Error('second') }]);
});

it('is repeated until it succeeds, or until the adapter stops', async () => {
  const work = trackWork(log);
  let attempts = 0;
  const second = async () => {
    if (++attempts < 2) throw new Error('not yet');
    return attempts;
  };
  expect(await work.repeat(second)).toBe(2);
  const never = work.repeat(() => Promise.reject(new Error('never')));
  await Promise.all([work.done(), expect(never).rejects.toThrow('never')]);
});
