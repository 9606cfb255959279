// What becomes of a round that fails, and of one that the sender asks to come back later.
import { expect, it, onTestFinished } from 'vitest';
import { waitFor } from '#test/program/wait.ts';
import { PollLater, startPolling } from './polling.ts';

/**
 * Rounds that end as told, in order and then as the last one; what was logged of them, and when they came.
 */
function polling(ends: readonly (string | Error)[]) {
  const logged: string[] = [];
  const times: number[] = [];
  const note = (level: string) => (fields: object, message: string) =>
    void logged.push(`${level}: ${'err' in fields ? (fields.err as Error).message : message}`);
  const log = { debug: () => undefined, info: note('info'), warn: note('warn'), error: note('error') };
  const running = startPolling({
    everyMs: 5,
    log,
    poll() {
      const end = ends[Math.min(times.length, ends.length - 1)];
      times.push(Date.now());
      return end instanceof Error ? Promise.reject(end) : Promise.resolve(end ?? '');
    },
  });
  onTestFinished(() => running.stop());
  const after = (rounds: number) => waitFor(`${rounds} rounds`, () => times.length > rounds);
  return { logged, times, after, running };
}

it('a failure is logged once, another one again, and the end of all', async () => {
  const refused = () => new Error('the password is refused');
  const { logged, after, running } = polling([new Error('no answer'), refused(), refused(), 'two mails']);
  await after(4);
  expect(logged).toEqual(['warn: no answer', 'warn: the password is refused', 'info: polling works again']);
  expect(running.state?.()).toEqual({ ok: true, detail: 'two mails' });
});

it('a pause that the sender asks for is no failure, and is kept, but never shorter than the usual one', async () => {
  const { logged, times, after, running } = polling(['two', new PollLater(300, 'asked too often'), 'three']);
  await after(1);
  expect(running.state?.()).toEqual({ ok: true, detail: 'asked too often' });
  await after(3);
  expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThan(250);
  expect(logged).toEqual(['info: asked too often']);
  expect(running.state?.()).toEqual({ ok: true, detail: 'three' });
});

it.each([Number.NaN, -1, 0])('a pause of %d is the usual one', async (afterMs) => {
  const { after, running } = polling([new PollLater(afterMs), 'works']);
  await after(2);
  expect(running.state?.()).toEqual({ ok: true, detail: 'works' });
});
