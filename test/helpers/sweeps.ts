// One sweep, as the sweeper does it.
import type { Due, TaskStore } from '#core/ports/task-store.ts';

/** Sweeps once; answers what it told. */
export async function sweepOnce(
  store: Pick<TaskStore, 'sweep'>,
  now: number,
  limit = 500,
): Promise<Due & { more: boolean }> {
  let told: Due = { expired: [], woken: [] };
  const { more } = await store.sweep(now, limit, async (due) => void (told = due));
  return { ...told, more };
}
