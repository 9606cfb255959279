// Time that only a jump made is not confirmed before it has held for an hour, and nothing is lost when the
// clock comes back.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '#test/helpers/clock.ts';
import { createConfirmedTime, HOLD_MS, TOLERANCE_MS } from './confirmed-time.ts';

const DAY = 24 * 60 * 60_000;
const MINUTE = 60_000;

function start() {
  const clock = createFakeClock();
  return { clock, time: createConfirmedTime(clock) };
}

describe('the confirmed time', () => {
  it('is the wall clock while nobody sets it, and follows small corrections', () => {
    const { clock, time } = start();
    for (let round = 0; round < 100; round++) {
      clock.advance(1000);
      clock.jump(round % 2 === 0 ? TOLERANCE_MS : -TOLERANCE_MS / 2);
      expect(time()).toBe(clock.now());
    }
  });

  it('goes on as before while the wall clock is ahead, and is in step at once when it is back', () => {
    const { clock, time } = start();
    const begun = time();
    clock.jump(2 * DAY);
    expect(time()).toBe(begun);
    clock.advance(HOLD_MS - 1);
    expect(time()).toBe(begun + HOLD_MS - 1);
    clock.jump(-2 * DAY);
    expect(time()).toBe(clock.now());
    expect(clock.now()).toBe(begun + HOLD_MS - 1);
  });

  it('believes a time that has held for an hour', () => {
    const { clock, time } = start();
    clock.jump(2 * DAY);
    time();
    clock.advance(HOLD_MS);
    expect(time()).toBe(clock.now());
  });

  it('counts the hour anew after each jump', () => {
    const { clock, time } = start();
    const begun = time();
    for (let jump = 1; jump <= 5; jump++) {
      clock.jump(DAY);
      time();
      clock.advance(HOLD_MS - MINUTE);
      expect(time()).toBe(begun + jump * (HOLD_MS - MINUTE));
    }
  });

  it('goes on while the machine sleeps, also while a jump is in question', () => {
    const { clock, time } = start();
    for (let nap = 0; nap < 3; nap++) {
      clock.sleep(DAY);
      expect(time()).toBe(clock.now());
      clock.advance(MINUTE);
      expect(time()).toBe(clock.now());
    }
    const begun = time();
    clock.jump(2 * DAY);
    expect(time()).toBe(begun);
    clock.sleep(HOLD_MS);
    expect(time()).toBe(begun + HOLD_MS);
    clock.advance(HOLD_MS);
    expect(time()).toBe(clock.now());
  });

  it('is never ahead of a wall clock that was set back', () => {
    const { clock, time } = start();
    time();
    clock.jump(-2 * DAY);
    expect(time()).toBe(clock.now());
    clock.jump(2 * DAY);
    expect(time()).toBe(clock.now());
  });

  it('is never ahead of the wall clock, nor of the time that passed by more than small corrections, whatever is done within the hour', () => {
    const step = fc.record({
      jump: fc.integer({ min: -3 * DAY, max: 3 * DAY }),
      passes: fc.nat(2 * MINUTE),
      sleeps: fc.nat(DAY),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const { clock, time } = start();
        const begun = clock.now();
        for (const { jump, passes, sleeps } of steps) {
          clock.jump(jump);
          clock.sleep(sleeps);
          clock.advance(passes);
          const now = time();
          expect(now).toBeLessThanOrEqual(clock.now());
          expect(now).toBeLessThanOrEqual(begun + clock.uptime() + steps.length * TOLERANCE_MS);
        }
      }),
    );
  });
});
