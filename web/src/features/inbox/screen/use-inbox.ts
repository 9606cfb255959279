// The state of the inbox and everything that can be done in it, for the screen to draw.
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Task } from '#core/contract/index.ts';
import { localStore } from '../../../lib/local-store.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { dismissLinkProblem, linkProblem } from '../../../lib/session/sign-in-link.ts';
import { fetchWhileIdle } from '../../../ui/on-demand.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useQueue, type Queue } from '../data/use-queue.ts';
import type { InboxActions } from '../model/commands.ts';
import type { ItemInput } from '../parts/item-dialog.tsx';
import { useAnnouncement } from './use-announcement.ts';
import { useBatchActions } from './use-batch-actions.ts';
import { useDialogs } from './use-dialogs.ts';
import { useFilters } from './use-filters.ts';
import { useInboxCommands } from './use-inbox-commands.ts';
import { useRowActions } from './use-row-actions.ts';
import { useRows } from './use-rows.ts';
import { useTaskActions, type TaskActions } from './use-task-actions.ts';

const USED = 'qinbox.used';

export type Inbox = ReturnType<typeof useInbox>;

export function useInbox() {
  const filters = useFilters();
  const queue = useQueue(filters.filter, filters.limit);
  const rows = useRows(queue, filters);
  const guest = useGuestNotice(queue);
  const dialogs = useDialogs();
  const heading = useRef<HTMLHeadingElement>(null);
  const search = useSearchField();
  const taskActions = useTaskActions(queue, rows.newRows, guest.mayChange);
  const batch = useBatchActions(taskActions, queue);
  const { cursor, selection } = rows;

  function acknowledge(tasks: readonly Task[]) {
    if (tasks.length === 0) return;
    const isLast = !queue.readOnly && !cursor.leave(new Set(tasks.map(({ id }) => id)));
    if (isLast) heading.current?.focus();
    batch.acknowledge(tasks);
    selection.clear();
  }

  function openItem(task: Task | null) {
    if (queue.readOnly) guest.show();
    else dialogs.open({ kind: 'item', task });
  }

  async function save(task: Task | null, input: ItemInput) {
    guest.noteDemo();
    if (task !== null) return taskActions.edit(task, input);
    return taskActions.create({ ...input, source: 'web', metadata: { createdVia: 'web-interface' } });
  }

  const actions: InboxActions = {
    acknowledge,
    pin: batch.pin,
    keepLonger: batch.keepLonger,
    undo: batch.undo,
    edit: (tasks) => editOnly(tasks, openItem),
    add: () => openItem(null),
    showDetails: ([task]) => task && dialogs.open({ kind: 'details', task }),
    toggle: ([task]) => task && selection.toggle(task.id),
    clearSelection: selection.clear,
    search: search.focus,
    refresh: queue.refresh,
    showShortcuts: () => dialogs.open({ kind: 'keys' }),
    filter: filters.setPriority,
  };
  useInboxCommands(actions, rows, filters);

  const { tasks, statistics } = queue.view;
  usePageTitle(statistics.high > 0 ? `(${statistics.high}) Inbox` : 'Inbox');
  useEffect(() => (queue.loading ? undefined : fetchWhileIdle()), [queue.loading]);
  const isUnknown = queue.loading || queue.problem !== null || queue.offline?.since === null;
  return {
    filters,
    queue,
    rows,
    guest,
    dialogs,
    heading,
    search,
    actions,
    save,
    /** The list and its counts are not known. */
    isUnknown,
    everUsed: useEverUsed(queue),
    announcement: useAnnouncement(isUnknown ? null : tasks, rows.listName),
    link: useLinkProblem(queue.loading),
    problem: useProblem(queue, taskActions),
    rowActions: useRowActions(actions, rows),
  };
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

/** The notice to guests: on a public queue at each try to change it, in the demo at the first one. */
function useGuestNotice({ readOnly, demo }: Queue) {
  const [notice, setNotice] = useState<'unseen' | 'shown' | 'dismissed'>('unseen');
  const show = () => setNotice('shown');
  const noteDemo = () => {
    if (demo && notice === 'unseen') show();
  };
  return {
    isShown: notice === 'shown',
    show,
    dismiss: () => setNotice('dismissed'),
    noteDemo,
    /** Called at each try to change something; returns whether it may go on. */
    mayChange: () => {
      if (readOnly) show();
      noteDemo();
      return !readOnly;
    },
  };
}

function useSearchField() {
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
  };
}

/** Whether this browser has ever shown a task of a real queue. */
function useEverUsed({ view, demo }: Queue): boolean {
  const [everUsed, setEverUsed] = useState(() => localStore.get(USED) === 'yes');
  const { total } = view.statistics;
  useEffect(() => {
    if (total === 0 || demo || everUsed) return;
    localStore.set(USED, 'yes');
    setEverUsed(true);
  }, [total, demo, everUsed]);
  return everUsed;
}

function useLinkProblem(loading: boolean) {
  const [problem, setProblem] = useState(linkProblem);
  useEffect(() => setProblem(linkProblem()), [loading]);
  return {
    problem,
    dismiss: () => {
      dismissLinkProblem();
      setProblem(null);
    },
  };
}

/** The problem of the last action, else of fetching. A dismissed message of a fetch stays away. */
function useProblem(queue: Queue, actions: TaskActions) {
  const [dismissed, setDismissed] = useState<string | null>(null);
  const fetchProblem = queue.problem?.message === dismissed ? null : queue.problem;
  return {
    problem: actions.problem ?? fetchProblem,
    dismiss: () => {
      if (actions.problem !== null) actions.dismissProblem();
      else setDismissed(queue.problem?.message ?? null);
    },
  };
}
