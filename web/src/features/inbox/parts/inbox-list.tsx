// The list in all its states: on its way, failed, empty in three ways, or rows.
import type { Task } from '#core/contract/index.ts';
import type { Filters } from '../screen/use-filters.ts';
import { isFiltered } from '../model/page.ts';
import type { ListItem } from '../model/groups.ts';
import type { Queue } from '../data/use-queue.ts';
import { AllDone, NeverUsed, NothingFetched, NothingMatches, NothingYet } from './empty-states.tsx';
import type { SelectedRows } from './list-entry.tsx';
import { SkeletonRows } from './skeleton.tsx';
import { TaskList } from './task-list.tsx';
import type { RowCommands } from './task-row.tsx';

interface InboxListProps {
  queue: Queue;
  filters: Filters;
  shown: readonly Task[];
  items: readonly ListItem[];
  activeId: string | null;
  focusRequest: number;
  selected: SelectedRows;
  commands: RowCommands;
  everUsed: boolean;
  onAdd: () => void;
}

export function InboxList(props: InboxListProps) {
  const { queue, filters, shown, everUsed, onAdd } = props;
  if (queue.loading) return <SkeletonRows />;
  if (queue.problem !== null) return <NothingFetched onRetry={queue.refresh} />;
  if (queue.offline?.since === null) return <NothingYet />;
  if (shown.length === 0) {
    if (isFiltered(filters.filter)) return <NothingMatches filter={filters.filter} onClear={filters.clear} />;
    return everUsed || queue.demo ? <AllDone onAdd={onAdd} /> : <NeverUsed onAdd={onAdd} />;
  }
  return (
    <TaskList
      items={props.items}
      activeId={props.activeId}
      focusRequest={props.focusRequest}
      selected={props.selected}
      delayed={queue.delayed}
      commands={props.commands}
    />
  );
}
