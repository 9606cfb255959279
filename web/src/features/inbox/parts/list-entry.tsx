// Shared by short and long lists of rows.
import type { Batch } from '../model/command-labels.ts';
import type { ListItem } from '../model/groups.ts';
import { TaskRow, type RowActions } from './task-row.tsx';

/** The height of header and toolbar, which cover the top of the list. */
export const STICKY_PX = 124;

/** A command on one of the selected rows is for all of them. */
export interface SelectedRows {
  ids: ReadonlySet<string>;
  batch: Batch;
}

export interface TaskListProps {
  items: readonly ListItem[];
  activeId: string | null;
  /** A new number asks the active row to take the focus. */
  focusRequest: number;
  selected: SelectedRows;
  /** Tasks with a change that is not sent yet. */
  delayed: ReadonlySet<string>;
  /** The task that is open beside the list. */
  openId: string | null;
  actions: RowActions;
}

interface ListEntryProps {
  list: TaskListProps;
  item: ListItem;
  index: number;
  /** The row that Tab reaches. */
  tabStop: string | null;
}

/** A heading or a row. */
export function ListEntry({ list, item, index, tabStop }: ListEntryProps) {
  if (item.kind === 'heading') return <Heading item={item} first={index === 0} />;
  const { id } = item.task;
  const selected = list.selected.ids.has(id);
  return (
    <TaskRow
      task={item.task}
      active={id === tabStop}
      focusRequest={id === list.activeId ? list.focusRequest : 0}
      selected={selected}
      open={id === list.openId}
      selecting={list.selected.ids.size > 0}
      batch={selected ? list.selected.batch : null}
      delayed={list.delayed.has(id)}
      actions={list.actions}
    />
  );
}

function Heading({ item, first }: { item: Extract<ListItem, { kind: 'heading' }>; first: boolean }) {
  return (
    <div className={`flex items-center gap-3 bg-surface-0 pb-1.5 ${first ? 'pt-1' : 'pt-4'}`}>
      <h2 className="max-w-[70%] truncate text-13 font-medium text-ink-2">{item.label}</h2>
      {item.count === null ? null : <span className="nums text-13 text-ink-3">{item.count}</span>}
      <span aria-hidden className="h-px flex-1 bg-line-1" />
    </div>
  );
}

// A group is one sheet: its first and last row have its corners.
export function cornersOf(items: readonly ListItem[], index: number): string {
  if (items[index]?.kind !== 'task') return '';
  const first = items[index - 1]?.kind === 'heading' ? 'overflow-hidden rounded-t-md' : '';
  const last = items[index + 1]?.kind === 'task' ? '' : 'overflow-hidden rounded-b-md';
  return `${first} ${last}`;
}

export function keyOf(item: ListItem | undefined): string {
  if (item === undefined) return '';
  return item.kind === 'heading' ? `heading ${item.key}` : item.task.id;
}

export function firstTask(items: readonly ListItem[]): string | null {
  const item = items.find((candidate) => candidate.kind === 'task');
  return item?.kind === 'task' ? item.task.id : null;
}
