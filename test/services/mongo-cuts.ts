// A process that ends between any two operations of the MongoDB driver: each scenario is run once for every
// operation that it has, cut off right before and right after it.
import { expect } from 'vitest';
import type { OperationHook } from '#adapters/mongodb/server/collection.ts';
import type { Storage } from '#core/ports/storage.ts';

const MOST_OPERATIONS = 60;

/**
 * What happens to the n-th operation: the process ends before or after it took effect, or only this one
 * operation fails.
 */
export interface Cut {
  at: 'before' | 'after';
  lives: boolean;
}
export const CUTS: Cut[] = [
  { at: 'before', lives: false },
  { at: 'after', lives: false },
  { at: 'before', lives: true },
  { at: 'after', lives: true },
];

export interface End extends Required<OperationHook> {
  /** From now on, after this many operations. */
  plan(operations: number, how: Cut): void;
  /** Lets all pass again; whether it happened. */
  lift(): boolean;
}

/** A hook by which the process that has it ends. */
export function createEnd(): End {
  let left = Infinity;
  let cut: Cut | undefined;
  let happened = false;
  const reach = (at: Cut['at']) => {
    if (cut === undefined) return;
    if (happened && !cut.lives) throw new Error('the process has ended');
    if (happened || at !== cut.at || left-- > 0) return;
    happened = true;
    throw new Error('the process ends here');
  };
  return {
    before: () => reach('before'),
    after: () => reach('after'),
    plan(operations, how) {
      left = operations;
      cut = how;
      happened = false;
    },
    lift() {
      cut = undefined;
      return happened;
    },
  };
}

/** Who takes part: one process that has the hook `end`, and one that has none. */
export interface Processes {
  end: End;
  dying: Storage;
  other: Storage;
  /** Lets the time pass after which others may take over what a process that ended was at. */
  passLease(): void;
}

/** Cuts `begin` off at every operation in turn; `afterwards` finds the world as it left it. */
export async function cutEverywhere<S>(
  cut: Cut,
  { end, dying, other, passLease }: Processes,
  prepare: () => Promise<S>,
  begin: (storage: Storage, scene: S) => Promise<unknown>,
  afterwards: (scene: S, survivor: Storage) => Promise<void>,
): Promise<void> {
  let cuts = 0;
  for (let operations = 0; operations < MOST_OPERATIONS; operations++) {
    const scene = await prepare();
    end.plan(operations, cut);
    await begin(dying, scene).catch(() => {});
    const happened = end.lift();
    // A process that lived on needs no other and no patience: it tries again itself, at once.
    if (!cut.lives) passLease();
    await afterwards(scene, cut.lives ? dying : other);
    if (!happened) break;
    cuts++;
  }
  expect(cuts).toBeGreaterThan(0);
  expect(cuts).toBeLessThan(MOST_OPERATIONS);
}
