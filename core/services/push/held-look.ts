// What of the held pushes of an owner is to be told now, by the rules that are stored now.
import { DEFAULT_RULES, isPushed } from '#core/domain/push.ts';
import { heldUntil } from '#core/domain/quiet-hours.ts';
import { isListed, type Task } from '#core/domain/task.ts';
import type { ShownParts, ShownTasks } from './shown.ts';

interface Parts extends Pick<ShownParts, 'store' | 'tasks' | 'clock'> {
  shown: Pick<ShownTasks, 'devicesShowing'>;
}

/** Held tasks that are still in the queue, and pushed. Newest first. */
export interface HeldLook {
  /** New to every device. */
  news: readonly Task[];
  /** Those that devices show, with the ids of these. */
  again: readonly { task: Task; devices: readonly string[] }[];
  /** Ids of those that are held for longer: until `quietUntil`, in milliseconds. */
  stays: readonly string[];
  /** Null while it is not quiet. */
  quietUntil: number | null;
  /** Whether contents are withheld. */
  withhold: boolean;
}

/** Tasks that are read at once. */
const AT_ONCE = 20;

export function createHeldLook({ store, tasks, shown, clock }: Parts) {
  /** Newest first. */
  async function listed(ownerId: string, ids: readonly string[]): Promise<Task[]> {
    const found: Task[] = [];
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const now = clock.now();
      const some = ids.slice(from, from + AT_ONCE).map((id) => tasks.get(ownerId, id, now));
      for (const task of await Promise.all(some)) if (task !== null && isListed(task, now)) found.push(task);
    }
    return found.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  }

  return async function look(ownerId: string, taskIds: readonly string[]): Promise<HeldLook> {
    const all = await listed(ownerId, taskIds);
    const rules = (await store.get(ownerId))?.rules ?? DEFAULT_RULES;
    const now = clock.now();
    const found = all.filter((task) => isPushed(task, rules));
    const isQuiet = ({ priority }: Task) => heldUntil(rules, priority, now) !== null;
    const due = found.filter((task) => !isQuiet(task));
    const showing = await shown.devicesShowing(
      ownerId,
      due.map(({ id }) => id),
    );
    return {
      news: due.filter(({ id }) => !showing.has(id)),
      again: due.flatMap((task) => {
        const devices = showing.get(task.id);
        return devices === undefined ? [] : [{ task, devices }];
      }),
      stays: found.filter(isQuiet).map(({ id }) => id),
      quietUntil: heldUntil(rules, null, now),
      withhold: rules.withhold,
    };
  };
}
