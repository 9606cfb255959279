// A number of places that many share, in the order in which they ask.

export interface Places {
  /** Resolves with a place, or with false once it is closed. */
  take(): Promise<boolean>;
  free(): void;
  taken(): number;
  /** Gives no more places; those who wait get none. */
  close(): void;
}

export function createPlaces(most: number): Places {
  const waiting: ((hasPlace: boolean) => void)[] = [];
  let taken = 0;
  let closed = false;
  return {
    take() {
      if (closed) return Promise.resolve(false);
      if (taken < most) {
        taken++;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    free() {
      const next = waiting.shift();
      if (next === undefined) taken--;
      else next(true);
    },
    taken: () => taken,
    close() {
      closed = true;
      for (const next of waiting.splice(0)) next(false);
    },
  };
}
