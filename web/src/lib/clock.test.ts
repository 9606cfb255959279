import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLocalStore } from './local-store.ts';
import { ServerClock } from './server-clock.ts';
import { Ticker } from './ticker.ts';

const HOUR = 3_600_000;
const NINE = Date.parse('2026-11-21T09:00:00.000Z');

beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(NINE);
});
afterEach(() => void vi.useRealTimers());

describe("the server's clock", () => {
  test('corrects a wrong local one by the hello, to the millisecond', () => {
    const clock = new ServerClock();
    clock.setExact(new Date(NINE + 90_000).toISOString());
    vi.advanceTimersByTime(1234);
    expect(clock.now()).toBe(NINE + 91_234);
  });

  test('takes a Date header only while nothing better is known and the clocks clearly differ', () => {
    const clock = new ServerClock();
    clock.setFromDateHeader(new Date(NINE + 1000).toUTCString());
    expect(clock.now()).toBe(NINE);
    clock.setFromDateHeader(new Date(NINE + 60_000).toUTCString());
    expect(clock.now()).toBe(NINE + 60_500);
    clock.setExact(new Date(NINE + 61_000).toISOString());
    clock.setFromDateHeader(new Date(NINE).toUTCString());
    expect(clock.now()).toBe(NINE + 61_000);
  });

  test('goes by a Date header again once the clock of the device was set', () => {
    const clock = new ServerClock();
    clock.setExact(new Date(NINE).toISOString());
    vi.setSystemTime(NINE + 14 * HOUR);
    clock.setFromDateHeader(new Date(NINE + 5000).toUTCString());
    expect(clock.now()).toBe(NINE + 5500);
    clock.setExact(new Date(NINE + 5123).toISOString());
    expect(clock.now()).toBe(NINE + 5123);
  });

  test('is known as far as it was known last, also in a page that is opened without a network', () => {
    const store = createLocalStore(localStorage);
    const clock = () => new ServerClock(() => Date.now(), store);
    const first = clock();
    expect([first.isKnown(), first.now()]).toEqual([false, NINE]);
    first.setFromDateHeader(new Date(NINE + 48 * HOUR).toUTCString());
    expect(first.isKnown()).toBe(true);
    const offline = clock();
    expect([offline.isKnown(), offline.now()]).toEqual([false, NINE + 48 * HOUR + 500]);
    offline.setFromDateHeader(new Date(NINE).toUTCString());
    expect([offline.isKnown(), offline.now(), localStorage.length]).toEqual([true, NINE, 0]);
  });
});

describe('the ticker', () => {
  test('ticks at whole seconds of the server, and at a deadline in between to the millisecond', () => {
    const clock = new ServerClock();
    clock.setExact(new Date(NINE + 400).toISOString());
    const ticker = new Ticker(clock);
    const ticks: number[] = [];
    const stop = ticker.subscribe(() => ticks.push(ticker.now() - NINE));
    ticker.setDeadline(NINE + 1250);
    vi.advanceTimersByTime(1700);
    expect(ticks).toEqual([1000, 1250, 2000]);
    stop();
  });

  test('uses one timer however many listen, and none when nobody does', () => {
    const ticker = new Ticker(new ServerClock());
    const stops = Array.from({ length: 50 }, () => ticker.subscribe(() => undefined));
    expect(vi.getTimerCount()).toBe(1);
    for (const stop of stops) stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
