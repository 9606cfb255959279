// The list in each of its states: loading, failed, empty in three ways, or rows.
import { isFiltered } from '../model/page.ts';
import type { Inbox } from '../screen/use-inbox.ts';
import { AllDone, NeverUsed, NothingFetched, NothingYet } from './empty-states.tsx';
import { NothingMatches } from './nothing-matches.tsx';
import { SkeletonRows } from './skeleton.tsx';
import { TaskList } from './task-list.tsx';

export function InboxList({ inbox }: { inbox: Inbox }) {
  const { queue, filters, rows, everUsed } = inbox;
  const { add } = inbox.actions;
  if (queue.loading) return <SkeletonRows />;
  if (queue.problem !== null) return <NothingFetched onRetry={queue.refresh} />;
  if (queue.offline?.since === null) return <NothingYet />;
  if (rows.shown.length === 0) {
    if (isFiltered(filters.filter)) return <NothingMatches filter={filters.filter} onClear={filters.clear} />;
    return everUsed || queue.demo ? <AllDone onAdd={add} /> : <NeverUsed onAdd={add} />;
  }
  return (
    <TaskList
      items={rows.items}
      activeId={rows.cursor.activeId}
      focusRequest={rows.cursor.focusRequest}
      selected={rows.selected}
      delayed={queue.delayed}
      openId={inbox.openTask.id}
      actions={inbox.rowActions}
    />
  );
}
