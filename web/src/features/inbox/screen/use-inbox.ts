// The inbox in its parts: the list (filter, queue, rows with their selection and cursor), the changes, the
// open task, the dialogs, and the keys that lead to all of them.
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { Task } from '#core/contract/index.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { fetchWhileIdle } from '../../../ui/on-demand.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useQueue, type Queue } from '../data/use-queue.ts';
import { useViews } from '../data/views.ts';
import type { InboxActions } from '../model/commands.ts';
import type { ItemInput } from '../parts/item-dialog.tsx';
import { useAnnouncement } from './use-announcement.ts';
import { useChanges } from './use-changes.ts';
import { useDialogs } from './use-dialogs.ts';
import { useFilters } from './use-filters.ts';
import { useKeyboard } from './use-keyboard.ts';
import { useEverUsed, useGuestNotice, useLinkProblem, useProblem, useUnkeptSession } from './use-notices.ts';
import { useOpenTask, type OpenTask } from './use-open-task.ts';
import { useRowActions } from './use-row-actions.ts';
import { useRows, type Rows } from './use-rows.ts';

export type Inbox = ReturnType<typeof useInbox>;

export function useInbox() {
  const list = useList();
  const { filters, queue, rows } = list;
  const views = useViews();
  const guest = useGuestNotice(queue);
  const changes = useChanges(queue, rows.newRows, guest.mayChange);
  const openTask = useOpenTask(queue, rows);
  const dialogs = useDialogs();
  const heading = useRef<HTMLHeadingElement>(null);
  const search = useSearchField(rows, heading);
  const { cursor, selection } = rows;

  function openItem(task: Task | null) {
    if (queue.readOnly) guest.show();
    else dialogs.open({ kind: 'item', task });
  }

  /** The row after the last of them is next. */
  function leave(tasks: readonly Task[]) {
    if (!queue.readOnly) leaveRows(new Set(tasks.map(({ id }) => id)), cursor, openTask, heading.current);
  }

  const actions: InboxActions = {
    acknowledge: (tasks) => {
      if (tasks.length === 0) return;
      leave(tasks);
      changes.acknowledge(tasks);
      selection.clear();
    },
    pin: changes.pin,
    keepLonger: changes.keepLonger,
    setPriority: changes.setPriority,
    snooze: (tasks) => {
      if (tasks.length > 0 && guest.mayChange()) dialogs.open({ kind: 'snooze', tasks });
    },
    editTags: (tasks) => {
      if (tasks.length > 0 && guest.mayChange()) dialogs.open({ kind: 'tags', tasks });
    },
    undo: changes.undo,
    edit: (tasks) => editOnly(tasks, openItem),
    add: () => openItem(null),
    open: ([task]) => task && openTask.open(task.id),
    toggle: ([task]) => task && selection.toggle(task.id),
    clearSelection: selection.clear,
    selectAll: selection.all,
    invertSelection: selection.invert,
    extendSelection: (by) => {
      const start = cursor.activeId;
      const id = cursor.move(by);
      if (id !== null) selection.extendTo(id, start ?? id);
      openTask.follow(id);
    },
    search: search.focus,
    refresh: queue.refresh,
    showShortcuts: () => dialogs.open({ kind: 'keys' }),
    filter: filters.setPriority,
    setOrder: filters.setOrder,
    showViews: () => {
      if (views.canSave) dialogs.open({ kind: 'views' });
      else guest.show();
    },
  };
  useKeyboard({ actions, rows, filters, openTask, views });
  const isUnknown = queue.loading || queue.problem !== null || queue.offline?.since === null;
  usePage(queue);
  return {
    ...list,
    views,
    guest,
    openTask,
    dialogs,
    heading,
    search,
    actions,
    save: async (task: Task | null, input: ItemInput) => {
      guest.noteDemo();
      if (task !== null) return changes.edit(task, input);
      return changes.create({ ...input, source: 'web', metadata: { createdVia: 'web-interface' } });
    },
    setTags: changes.setTags,
    snooze: (tasks: readonly Task[], until: number | null) => {
      // One that is woken, or snoozed again, leaves one of the two lists.
      if ((until === null) === filters.filter.snoozed) leave(tasks);
      changes.snooze(tasks, until);
      selection.clear();
    },
    /** The list and its counts are not known. */
    isUnknown,
    everUsed: useEverUsed(queue),
    announcement: useAnnouncement(isUnknown ? null : queue.view.tasks, rows.listName),
    link: useLinkProblem(queue.loading),
    unkept: useUnkeptSession(),
    problem: useProblem(queue, changes),
    rowActions: useRowActions({ actions, rows, openTask, filters }),
  };
}

/** Which tasks are listed, and how. */
function useList() {
  const filters = useFilters();
  const queue = useQueue(filters.filter, filters.limit);
  const rows = useRows(queue, filters);
  return { filters, queue, rows };
}

function usePage({ view, loading }: Queue): void {
  const { high } = view.statistics;
  usePageTitle(high > 0 ? `(${high}) Inbox` : 'Inbox');
  useEffect(() => (loading ? undefined : fetchWhileIdle()), [loading]);
}

function leaveRows(
  ids: ReadonlySet<string>,
  cursor: Rows['cursor'],
  openTask: OpenTask,
  heading: HTMLElement | null,
): void {
  if (!cursor.leave(ids)) heading?.focus();
  // One with a row gives its place to the next row.
  if (!openTask.isListed && openTask.id !== null && ids.has(openTask.id)) openTask.close();
}

/** Several items cannot be edited at once. */
function editOnly(tasks: readonly Task[], edit: (task: Task) => void) {
  const [only] = tasks;
  if (tasks.length > 1)
    void notify({
      id: 'one-at-a-time',
      text: 'One item at a time can be edited',
      detail: `${tasks.length} are selected. Esc clears the selection.`,
    });
  else if (only !== undefined) edit(only);
}

function useSearchField(rows: Rows, heading: RefObject<HTMLElement | null>) {
  // As they are drawn last: the filter may have changed since the key was pressed.
  const latest = useRef(rows);
  useLayoutEffect(() => {
    latest.current = rows;
  });
  const field = useRef<HTMLInputElement>(null);
  const [isShown, setShown] = useState(false);
  return {
    field,
    /** Shown also where the actions of a selection are. */
    isShown,
    focus: () => {
      // At once: the next key is already text.
      flushSync(() => setShown(true));
      field.current?.focus();
    },
    leave: () => setShown(false),
    /** Back to the list, where the keys are. */
    toList: () => {
      const { cursor, tasks } = latest.current;
      const id = cursor.activeId ?? tasks[0]?.id;
      if (id === undefined) heading.current?.focus();
      else cursor.focus(id);
    },
  };
}
