// Counts requests in fixed windows that begin with their first request, by a monotonic clock.

/** `limit` requests in each `seconds`. */
export interface RateWindow {
  name: string;
  limit: number;
  seconds: number;
}

/** How one window stands after a request was counted, or refused. */
export interface WindowState {
  window: RateWindow;
  remaining: number;
  /** Milliseconds until the window ends and the count begins anew. */
  resetMs: number;
}

export interface RateVerdict {
  allowed: boolean;
  /** One for each window asked about, in the same order. */
  states: WindowState[];
}

export interface RateLimiter {
  /**
   * Counts one request of `bucket` in all windows, or in none when any is full: a refused request costs
   * nothing. A driver that lost its shared counter counts in this process.
   */
  take(bucket: string, windows: readonly RateWindow[]): RateVerdict | Promise<RateVerdict>;
  /** Lets go of everything. Twice is fine. */
  close(): Promise<void>;
}
