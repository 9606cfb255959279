// What takes time in the inbox in the terminal: it is carried out beside the keys.
import { targetsOf, type ScreenState } from './state.ts';
import type { Task } from '#core/contract/index.ts';

export type Work = ReturnType<typeof createWork>;

export function createWork(state: ScreenState, load: () => Promise<void>, redraw: () => void) {
  const running = new Set<Promise<void>>();

  /** What goes wrong is said, and the list is again what the server says. */
  function start(work: () => Promise<void>): void {
    const run = work()
      .catch(async (error: unknown) => {
        state.notice = error instanceof Error ? error.message : String(error);
        await load().catch(() => undefined);
      })
      .finally(() => {
        running.delete(run);
        redraw();
      });
    running.add(run);
  }

  return {
    start,
    /** Acts on the targets, and lets go of them. */
    act(work: (targets: Task[]) => Promise<void>): void {
      const targets = targetsOf(state);
      if (targets.length === 0) return;
      state.selected.clear();
      start(() => work(targets));
    },
    /** After all that has begun. */
    startLast(work: () => Promise<void>): void {
      const earlier = [...running];
      start(async () => {
        await Promise.allSettled(earlier);
        await work();
      });
    },
  };
}
