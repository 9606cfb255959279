// Notes when things were last used (keys, intakes) in memory, and stores that a second later. What was not stored yet is lost in
// a crash, which is allowed.
import type { Calls } from './deadline.ts';

const DELAY_MS = 1000;

export interface LastUses {
  /** Notes a use; never an earlier one over a later one. */
  note(id: string, at: number): void;
  /** Stores what was noted. */
  flush(): Promise<void>;
}

/** `store` must keep a later use that is stored already. */
export function createLastUses(calls: Calls, store: (id: string, at: number) => Promise<unknown>): LastUses {
  const noted = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = [...noted];
    noted.clear();
    for (const [id, at] of uses) await store(id, at);
  }

  return {
    flush,
    note(id, at) {
      noted.set(id, Math.max(at, noted.get(id) ?? 0));
      // Losing these is allowed, so a store that is away is nobody's fault here.
      timer ??= setTimeout(() => void calls.run(flush).catch(() => {}), DELAY_MS).unref();
    },
  };
}
