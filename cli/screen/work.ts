// What takes time in the inbox in the terminal: it is carried out beside the keys.
import type { Task } from '#core/contract/index.ts';
import { CommandError, EXIT_UNREACHABLE } from '../command.ts';
import { targetsOf, type ScreenState } from './state.ts';

export type Work = ReturnType<typeof createWork>;

/** `ending` is aborted when the screen is left, and `load` then rejects. */
export function createWork(
  state: ScreenState,
  load: () => Promise<void>,
  redraw: () => void,
  ending: AbortSignal,
) {
  const running = new Set<Promise<void>>();
  /** What went wrong where no screen says so any more. */
  let unsaid: Error | null = null;

  /** What goes wrong is said, and the list is again what the server says. */
  function start(work: () => Promise<void>): void {
    const run = work()
      .catch(async (error: unknown) => {
        state.notice = error instanceof Error ? error.message : String(error);
        if (ending.aborted && error !== ending.reason) unsaid ??= new Error(state.notice, { cause: error });
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
    /** Resolves when all that has begun is done; throws when some of it could not be. */
    async finish(): Promise<void> {
      await Promise.all(running);
      if (unsaid === null) return;
      const { cause, message } = unsaid;
      const exitCode = cause instanceof CommandError ? cause.exitCode : EXIT_UNREACHABLE;
      throw new CommandError(`What you did last may not be done: ${message}`, exitCode);
    },
  };
}
