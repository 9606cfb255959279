// The list as it is drawn: headings by stage, and the rows under them.
import type { Task } from '#core/contract/index.ts';
import { STAGES, stageOf, type Stage } from '../../../lib/stage.ts';

export type ListItem = { kind: 'heading'; stage: Stage; count: number } | { kind: 'task'; task: Task };

export function groupByStage(tasks: readonly Task[], now: number): ListItem[] {
  const groups = new Map<Stage, Task[]>(STAGES.map((stage) => [stage, []]));
  for (const task of tasks) groups.get(stageOf(task, now))?.push(task);
  const items: ListItem[] = [];
  for (const [stage, members] of groups) {
    if (members.length === 0) continue;
    items.push({ kind: 'heading', stage, count: members.length });
    for (const task of members) items.push({ kind: 'task', task });
  }
  return items;
}
