// The list in each of its states: loading, failed, empty in three ways, or rows.
import type { Queue } from '../data/use-queue.ts';
import { isFiltered } from '../model/page.ts';
import type { Filters } from '../screen/use-filters.ts';
import type { Rows } from '../screen/use-rows.ts';
import { AllDone, NeverUsed, NothingFetched, NothingMatches, NothingYet } from './empty-states.tsx';
import { SkeletonRows } from './skeleton.tsx';
import { TaskList } from './task-list.tsx';
import type { RowActions } from './task-row.tsx';

interface InboxListProps {
  queue: Queue;
  filters: Filters;
  rows: Rows;
  actions: RowActions;
  everUsed: boolean;
  onAdd: () => void;
}

export function InboxList({ queue, filters, rows, actions, everUsed, onAdd }: InboxListProps) {
  if (queue.loading) return <SkeletonRows />;
  if (queue.problem !== null) return <NothingFetched onRetry={queue.refresh} />;
  if (queue.offline?.since === null) return <NothingYet />;
  if (rows.shown.length === 0) {
    if (isFiltered(filters.filter)) return <NothingMatches filter={filters.filter} onClear={filters.clear} />;
    return everUsed || queue.demo ? <AllDone onAdd={onAdd} /> : <NeverUsed onAdd={onAdd} />;
  }
  return (
    <TaskList
      items={rows.items}
      activeId={rows.cursor.activeId}
      focusRequest={rows.cursor.focusRequest}
      selected={rows.selected}
      delayed={queue.delayed}
      actions={actions}
    />
  );
}
