// One timer for all countdowns of the page. It ticks at each second of the server's clock, and at deadlines
// in between, so that a task goes at the moment when its time is up.
import { useSyncExternalStore } from 'react';
import type { ServerClock } from './server-clock.ts';

/** So far it goes back only where the clock of the device was set and the server's time is known again. */
const SET_BACK_MS = 60_000;

export class Ticker {
  readonly #clock: ServerClock;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #deadline = Infinity;
  #now: number;
  #timesSetBack = 0;

  constructor(clock: ServerClock) {
    this.#clock = clock;
    this.#now = clock.now();
  }

  /** The time of the last tick: the same for all that is drawn together. */
  now = (): number => this.#now;

  /** How often the time went back: what was over by it may not be. */
  timesSetBack = (): number => this.#timesSetBack;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#now = this.#clock.now();
      this.#schedule();
      globalThis.document?.addEventListener('visibilitychange', this.#tick);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearTimeout(this.#timer);
      globalThis.document?.removeEventListener('visibilitychange', this.#tick);
    };
  };

  /** Tick at this moment as well, if it comes before the next whole second; Infinity for none. */
  setDeadline(time: number): void {
    this.#deadline = time;
    if (this.#listeners.size > 0) this.#schedule();
  }

  #tick = (): void => {
    const before = this.#now;
    this.#now = this.#clock.now();
    if (this.#now < before - SET_BACK_MS) this.#timesSetBack += 1;
    if (this.#deadline <= this.#now) this.#deadline = Infinity;
    for (const listener of [...this.#listeners]) listener();
    if (this.#listeners.size > 0) this.#schedule();
  };

  #schedule(): void {
    clearTimeout(this.#timer);
    const now = this.#clock.now();
    const nextSecond = Math.floor(now / 1000) * 1000 + 1000;
    const at = Math.min(nextSecond, Math.max(this.#deadline, now));
    this.#timer = setTimeout(this.#tick, Math.max(1, at - now));
  }
}

/** The result of `read` at the ticking time; draws again only when it changes. It must be a primitive. */
export function useTicking<T extends string | number | boolean>(ticker: Ticker, read: (now: number) => T): T {
  return useSyncExternalStore(ticker.subscribe, () => read(ticker.now()));
}
