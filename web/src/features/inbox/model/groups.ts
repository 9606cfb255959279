// The list as it is drawn: headings by the list's order, and the rows under them.
import type { Task, TaskOrder } from '#core/contract/index.ts';
import { PRIORITY_LABEL, sourceLabel } from '../../../lib/labels.ts';
import { STAGE_LABEL, STAGES, stageOf } from '../../../lib/stage.ts';
import { keyIn } from './order.ts';

/** `count` is null while not all tasks of the group may be listed. */
export type ListItem =
  | { kind: 'heading'; key: string; label: string; count: number | null }
  | { kind: 'task'; task: Task };

interface Group {
  key: string;
  label: string;
}

interface Grouping {
  order: TaskOrder;
  /** There are no more of them than these. */
  complete: boolean;
  now: number;
  /** Those that sleep, in the order of their waking. */
  snoozed?: boolean;
}

/** `tasks` in their order. */
export function groupTasks(
  tasks: readonly Task[],
  { order, complete, now, snoozed = false }: Grouping,
): ListItem[] {
  if (snoozed && order === 'newest')
    return [
      { kind: 'heading', key: 'snoozed', label: 'Snoozed', count: complete ? tasks.length : null },
      ...tasks.map((task) => ({ kind: 'task' as const, task })),
    ];
  const groups = new Map<string, Group & { tasks: Task[] }>();
  // Stages have an order of their own, which is that of the list but for tasks with a lifetime of their own.
  if (order === 'newest')
    for (const stage of STAGES) groups.set(stage, { key: stage, label: STAGE_LABEL[stage], tasks: [] });
  for (const task of tasks) {
    const { key, label } = groupOf(task, order, now);
    const group = groups.get(key) ?? { key, label, tasks: [] };
    groups.set(key, group);
    group.tasks.push(task);
  }
  const filled = [...groups.values()].filter((group) => group.tasks.length > 0);
  return filled.flatMap(({ key, label, tasks: members }, index): ListItem[] => {
    // In the list's own order what is not loaded follows the last group.
    const isFollowed = index < filled.length - 1;
    const counted = complete || (isFollowed && (order !== 'newest' || key === 'pinned'));
    return [
      { kind: 'heading', key, label, count: counted ? members.length : null },
      ...members.map((task) => ({ kind: 'task' as const, task })),
    ];
  });
}

const NONE = { source: 'Unknown', intake: 'No intake', tag: 'No tag' };

function groupOf(task: Task, order: TaskOrder, now: number): Group {
  if (task.pinned) return { key: 'pinned', label: STAGE_LABEL.pinned };
  switch (order) {
    case 'newest': {
      const stage = stageOf(task, now);
      return { key: stage, label: STAGE_LABEL[stage] };
    }
    case 'priority':
      return { key: task.priority, label: `${PRIORITY_LABEL[task.priority]} priority` };
    case 'expiry':
      return { key: 'expiry', label: 'By time left' };
    case 'source':
    case 'intake':
    case 'tag': {
      const name = keyIn(order, task);
      if (name === null) return { key: order, label: NONE[order] };
      const label = order === 'source' ? sourceLabel(name) : order === 'tag' ? `#${name}` : name;
      return { key: `${order} ${name}`, label };
    }
  }
}
