// Collects the last uses of keys and intakes for a second and stores them in one write. A crash may lose
// those.

const DELAY_MS = 1000;

export interface LastUses {
  /** Notes a use, in milliseconds; never an earlier one over a later one. */
  note(id: string, at: number): void;
  /** Stores now what was noted. Never rejects: losing it is allowed. */
  flush(): Promise<void>;
}

/** `store` must not replace a later use that is stored already. */
export function createLastUses(
  store: (uses: readonly (readonly [id: string, at: number])[]) => Promise<unknown>,
): LastUses {
  const noted = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (noted.size === 0) return;
    const uses = [...noted];
    noted.clear();
    await store(uses).catch(() => {});
  }

  return {
    note(id, at) {
      noted.set(id, Math.max(at, noted.get(id) ?? 0));
      timer ??= setTimeout(() => void flush(), DELAY_MS).unref();
    },
    flush,
  };
}
