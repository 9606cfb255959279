// Today: what needs attention, and what is done about it.
import './inbox.css';
import { ArrowUp, Plus } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Task } from '#core/contract/index.ts';
import { localStore } from '../../../lib/local-store.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { ticker } from '../../../lib/services.ts';
import { dismissLinkProblem, linkProblem } from '../../../lib/session/sign-in-link.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { notify } from '../../../ui/toast.tsx';
import { fetchWhileIdle } from '../../../ui/on-demand.tsx';
import { NewRows } from '../model/new-rows.ts';
import { batchOf } from '../model/batch.ts';
import { groupByStage } from '../model/groups.ts';
import { BulkBar } from '../parts/bulk-bar.tsx';
import { InboxDialogs } from '../parts/inbox-dialogs.tsx';
import { InboxList } from '../parts/inbox-list.tsx';
import type { ItemInput } from '../parts/item-dialog.tsx';
import { ListFooter } from '../parts/list-footer.tsx';
import { Notices } from '../parts/notices.tsx';
import { Controls, Counts } from '../parts/toolbar.tsx';
import { useCursor } from './use-cursor.ts';
import { useDialogs } from './use-dialogs.ts';
import { useFilters } from './use-filters.ts';
import { useAnnouncement } from './use-announcement.ts';
import { useInboxCommands } from './use-inbox-commands.ts';
import { useInboxShortcuts } from './use-inbox-shortcuts.ts';
import { useQueue } from '../data/use-queue.ts';
import { useReading } from './use-reading.ts';
import { useRowCommands } from './use-row-commands.ts';
import { useSelectionActions } from './use-batch-actions.ts';
import { useSelection } from './use-selection.ts';
import { useTaskActions } from './use-task-actions.ts';

const MINUTE_MS = 60_000;
const USED = 'qinbox.used';

export default function TodayPage() {
  const filters = useFilters();
  const queue = useQueue(filters.filter, filters.limit);
  const [arrivals] = useState(() => new NewRows());
  const reading = useReading();
  const [guestNotice, setGuestNotice] = useState<'unseen' | 'shown' | 'dismissed'>('unseen');
  const [link, setLink] = useState(linkProblem);
  const [dismissed, setDismissed] = useState<string | null>(null);
  const dialogs = useDialogs();
  const [everUsed, setEverUsed] = useState(() => localStore.get(USED) === 'yes');
  const heading = useRef<HTMLHeadingElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const [searching, setSearching] = useState(false);

  const actions = useTaskActions(queue, arrivals, () => {
    if ((queue.readOnly && guestNotice !== 'shown') || (queue.demo && guestNotice === 'unseen'))
      setGuestNotice('shown');
    return !queue.readOnly;
  });

  const several = useSelectionActions({ actions, readOnly: queue.readOnly, tasks: queue.view.tasks });

  const filterKey = `${filters.filter.priority ?? ''} ${filters.filter.q} ${queue.demo}`;
  const [selecting, setSelecting] = useState(false);
  const { tasks } = queue.view;
  const { shown, held } = useMemo(
    () => arrivals.split(tasks, reading.disturbed || selecting, filterKey),
    [arrivals, tasks, reading.disturbed, selecting, filterKey],
  );
  const minute = useTicking(ticker, (now) => Math.floor(now / MINUTE_MS));
  const items = useMemo(
    () => groupByStage(shown, Math.max(ticker.now(), minute * MINUTE_MS)),
    [shown, minute],
  );
  const rows = useMemo(() => items.flatMap((item) => (item.kind === 'task' ? [item.task] : [])), [items]);
  const listed = useMemo(() => rows.map((task) => task.id), [rows]);
  const selection = useSelection(listed);
  const cursor = useCursor(listed);
  if (selecting !== selection.ids.size > 0) setSelecting(selection.ids.size > 0);
  const activeTask = rows.find((task) => task.id === cursor.activeId) ?? null;

  const { total, high } = queue.view.statistics;
  usePageTitle(high > 0 ? `(${high}) Inbox` : 'Inbox');
  useEffect(() => {
    if (total === 0 || queue.demo || everUsed) return;
    localStore.set(USED, 'yes');
    setEverUsed(true);
  }, [total, queue.demo, everUsed]);
  useEffect(() => setLink(linkProblem()), [queue.loading]);
  useEffect(() => (queue.loading ? undefined : fetchWhileIdle()), [queue.loading]);
  const announcement = useAnnouncement(
    queue.loading || queue.problem !== null || queue.offline?.since === null ? null : tasks,
    filterKey,
  );

  function acknowledge(done: readonly Task[]) {
    if (done.length === 0) return;
    if (!queue.readOnly && !cursor.leave(new Set(done.map((task) => task.id)))) heading.current?.focus();
    several.acknowledge(done);
    selection.clear();
  }

  function openItem(task: Task | null) {
    if (queue.readOnly) setGuestNotice('shown');
    else dialogs.open({ kind: 'item', task });
  }

  async function save(task: Task | null, input: ItemInput) {
    if (queue.demo && guestNotice === 'unseen') setGuestNotice('shown');
    if (task !== null) return actions.edit(task, input);
    return actions.create({ ...input, source: 'web', metadata: { createdVia: 'web-interface' } });
  }

  // In the same go: the next key is already text. Its field stands where a selection's actions are.
  function focusSearch() {
    flushSync(() => setSearching(true));
    searchField.current?.focus();
  }

  const selectedTasks = rows.filter((task) => selection.ids.has(task.id));
  const { count, pinned } = batchOf(selectedTasks);
  const selected = useMemo(
    () => ({ ids: selection.ids, batch: { count, pinned } }),
    [selection.ids, count, pinned],
  );
  const targets = selectedTasks.length > 0 ? selectedTasks : activeTask === null ? [] : [activeTask];
  /** What is done to one of the selected rows is done to all of them. */
  const together = (task: Task) => (selection.ids.has(task.id) ? selectedTasks : [task]);

  function editTarget() {
    const [only] = targets;
    if (targets.length > 1)
      void notify({
        id: 'one-at-a-time',
        text: 'One item at a time can be edited',
        detail: `${targets.length} are selected. Esc clears the selection.`,
      });
    else if (only !== undefined) openItem(only);
  }

  const showDetails = (task: Task) => dialogs.open({ kind: 'details', task });
  const hands = {
    filters,
    cursor,
    selection,
    activeTask,
    targets,
    acknowledge: () => acknowledge(targets),
    undo: several.undo,
    pin: () => several.pin(targets),
    edit: editTarget,
    details: showDetails,
    keepLonger: () => several.keepLonger(targets),
    add: () => openItem(null),
    refresh: queue.refresh,
    focusSearch,
    showKeys: () => dialogs.open({ kind: 'keys' }),
  };
  useInboxShortcuts(hands);
  useInboxCommands(hands);
  const commands = useRowCommands({
    focused: cursor.at,
    acknowledge: (task) => acknowledge(together(task)),
    pin: (task) => several.pin(together(task)),
    edit: openItem,
    details: showDetails,
    keepLonger: (task) => several.keepLonger(together(task)),
    toggle: selection.toggle,
    extendTo: selection.extendTo,
  });

  const fetchProblem = queue.problem?.message === dismissed ? null : queue.problem;
  return (
    <main className="mx-auto flex w-full max-w-[60rem] flex-1 flex-col px-3 sm:px-6">
      <div className="top-14 z-20 bg-surface-0 pt-4 sm:sticky">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3 pb-3">
          <Counts
            statistics={queue.view.statistics}
            demo={queue.demo}
            unknown={queue.loading || queue.problem !== null || queue.offline?.since === null}
            heading={heading}
          />
          {selection.ids.size > 0 && !searching ? (
            <BulkBar
              batch={selected.batch}
              onAcknowledge={() => acknowledge(selectedTasks)}
              onPin={() => several.pin(selectedTasks)}
              onKeepLonger={() => several.keepLonger(selectedTasks)}
              onClear={selection.clear}
            />
          ) : (
            <Controls
              priority={filters.filter.priority}
              onPriority={filters.setPriority}
              search={filters.search}
              onSearch={filters.setSearch}
              searchField={searchField}
              onSearchLeft={() => setSearching(false)}
              refreshing={queue.fetching}
              onRefresh={queue.refresh}
              onAdd={() => openItem(null)}
            />
          )}
        </div>
      </div>
      <div className="sticky top-14 z-20 bg-surface-0 sm:top-[7.25rem]">
        <Notices
          link={link}
          onDismissLink={() => {
            dismissLinkProblem();
            setLink(null);
          }}
          guest={guestNotice === 'shown'}
          demo={queue.demo}
          onDismissGuest={() => setGuestNotice('dismissed')}
          queue={queue}
          problem={actions.problem ?? fetchProblem}
          onDismissProblem={() => {
            if (actions.problem !== null) actions.dismissProblem();
            else setDismissed(queue.problem?.message ?? null);
          }}
        />
        {held > 0 ? (
          <button
            type="button"
            onClick={() => {
              arrivals.showAll();
              selection.clear();
              reading.handlers.onPointerLeave();
              window.scrollTo({ top: 0 });
            }}
            className="absolute top-full left-1/2 mt-1 inline-flex h-8 -translate-x-1/2 items-center gap-1.5 rounded-full bg-accent pr-3.5 pl-2.5 text-13 font-medium text-on-accent shadow-2"
          >
            <ArrowUp size={15} aria-hidden />
            {held} new
          </button>
        ) : null}
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <div className="flex flex-col" {...reading.handlers}>
        <InboxList
          queue={queue}
          filters={filters}
          shown={shown}
          items={items}
          activeId={cursor.activeId}
          focusRequest={cursor.focusRequest}
          selected={selected}
          commands={commands}
          everUsed={everUsed}
          onAdd={() => openItem(null)}
        />
      </div>
      {queue.loading ? null : (
        // Comes with the rows: before that nobody knows where it will be.
        <ListFooter
          shown={shown.length}
          total={Math.max(shown.length, queue.view.total)}
          loading={queue.fetching}
          onMore={filters.more}
          onAll={() => filters.all(queue.view.total)}
          onShortcuts={() => dialogs.open({ kind: 'keys' })}
        />
      )}
      <button
        type="button"
        aria-label="Add Item"
        onClick={() => openItem(null)}
        className="fixed right-4 bottom-4 z-20 inline-flex size-14 items-center justify-center rounded-lg bg-accent text-on-accent shadow-2 sm:hidden"
      >
        <Plus size={24} aria-hidden />
      </button>
      <InboxDialogs
        dialogs={dialogs}
        tasks={tasks}
        onEdit={openItem}
        onAcknowledge={(task) => acknowledge([task])}
        onSave={save}
      />
    </main>
  );
}
