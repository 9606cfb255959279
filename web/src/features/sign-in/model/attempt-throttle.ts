// Google may call back twice for one click, and people click twice: which attempts count.

/** Within this time of the previous attempt another one is ignored. */
export const THROTTLE_MS = 3000;

export class Attempts {
  readonly #now: () => number;
  #running = false;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Runs the work, unless some is running or was started within the last three seconds. Returns whether it
   * did.
   */
  async attempt(work: () => Promise<void>): Promise<boolean> {
    const now = this.#now();
    if (this.#running || now - this.#lastAt < THROTTLE_MS) return false;
    this.#running = true;
    this.#lastAt = now;
    try {
      await work();
    } finally {
      this.#running = false;
    }
    return true;
  }
}
