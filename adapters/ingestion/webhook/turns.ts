// Lets a few do costly work at once. The others wait in lanes that take turns, so that whoever fills one lane holds up that lane alone.

export interface Turns {
  /** Does the work when its lane's turn comes; null, at once, when too many wait already. */
  take<T>(lane: string, work: () => Promise<T>): Promise<T | null>;
}

interface TurnLimits {
  atOnce: number;
  /** Waiting in one lane. */
  perLane: number;
  /** Waiting in all lanes together. */
  inAll: number;
}

export function createTurns({ atOnce, perLane, inAll }: TurnLimits): Turns {
  /** Whose turn is next comes first. */
  const lanes = new Map<string, (() => void)[]>();
  let running = 0;
  let waiting = 0;

  function waitIn(name: string): Promise<void> | null {
    const lane = lanes.get(name) ?? [];
    if (lane.length >= perLane || waiting >= inAll) return null;
    lanes.set(name, lane);
    waiting++;
    return new Promise((resolve) => lane.push(resolve));
  }

  function next(): void {
    const [name, lane] = lanes.entries().next().value ?? [];
    if (name === undefined || lane === undefined) return void running--;
    lanes.delete(name);
    const begin = lane.shift();
    if (lane.length > 0) lanes.set(name, lane);
    waiting--;
    begin?.();
  }

  return {
    async take(lane, work) {
      if (running < atOnce) running++;
      else {
        const turn = waitIn(lane);
        if (turn === null) return null;
        await turn;
      }
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
}
