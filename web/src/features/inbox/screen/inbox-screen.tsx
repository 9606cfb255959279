// Today's tasks, drawn from the state in useInbox: the list, and the open task beside it.
import { ArrowUp, Plus } from 'lucide-react';
import { outboxIsRead } from '../../../lib/outbox/service.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { BottomDock } from '../../../ui/bottom-dock.tsx';
import { isFiltered } from '../model/page.ts';
import { Notices } from '../parts/banners.tsx';
import { BulkBar } from '../parts/bulk-bar.tsx';
import { InboxDialogs } from '../parts/inbox-dialogs.tsx';
import { InboxList } from '../parts/inbox-list.tsx';
import { ListFooter } from '../parts/list-footer.tsx';
import { Counts } from '../parts/counts.tsx';
import { Controls } from '../parts/toolbar.tsx';
import { useInbox, type Inbox } from './use-inbox.ts';
import { TaskPanel } from './use-open-task.ts';

/** From here on there is room for the list and the open task side by side. */
const WIDE = '(min-width: 64rem)';

/** Unsent changes are read: the first list that it draws has them. */
export const whenReady = outboxIsRead;

export default function InboxScreen() {
  const inbox = useInbox();
  const { queue, rows, actions, openTask } = inbox;
  const isWide = useMediaQuery(WIDE);
  const isBeside = isWide && openTask.isOpen;
  // An empty queue has a button of its own for it, which this one would cover.
  const isEmpty = !inbox.isUnknown && rows.shown.length === 0 && !isFiltered(inbox.filters.filter);
  return (
    <main
      className={`mx-auto w-full flex-1 px-3 sm:px-6 ${isBeside ? 'grid max-w-[92rem] grid-rows-[1fr_auto] grid-cols-[minmax(0,1fr)_minmax(22rem,27rem)] gap-x-5' : 'flex max-w-[60rem] flex-col'}`}
    >
      {/* The open task takes room from it: what is in it goes by its width. */}
      <div className="@container flex min-w-0 flex-1 flex-col">
        <Toolbar inbox={inbox} />
        <NewRowsPill held={rows.held} onShow={rows.showHeld} />
        <p role="status" className="sr-only">
          {inbox.announcement}
        </p>
        <div className="flex flex-col" {...rows.reading}>
          <InboxList inbox={inbox} />
        </div>
        {/* Comes with the rows: its place is not known before. */}
        {queue.loading ? null : <ListFooter inbox={inbox} />}
      </div>
      <OpenTaskPanel inbox={inbox} wide={isWide} />
      <BottomDock
        button={
          <button
            type="button"
            aria-label="Add Item"
            onClick={actions.add}
            className={`size-14 items-center justify-center rounded-lg bg-accent text-on-accent shadow-2 sm:hidden ${isEmpty ? 'hidden' : 'inline-flex'}`}
          >
            <Plus size={24} aria-hidden />
          </button>
        }
      >
        <Notices inbox={inbox} />
      </BottomDock>
      <InboxDialogs inbox={inbox} />
    </main>
  );
}

function Toolbar({ inbox }: { inbox: Inbox }) {
  const { queue, filters } = inbox;
  const isSelecting =
    (inbox.rows.selection.ids.size > 0 || inbox.rows.selection.isLoading) && !inbox.search.isShown;
  return (
    <div className="top-14 z-20 bg-surface-0 pt-4 sm:sticky">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 pb-3 sm:@max-[36rem]:gap-x-2">
        <Counts
          statistics={inbox.isUnknown ? null : queue.view.statistics}
          isDemo={queue.demo}
          chosen={filters.filter.priority}
          onChoose={filters.setPriority}
          isSnoozed={filters.filter.snoozed}
          onSnoozed={filters.setSnoozed}
          isSelecting={isSelecting}
          heading={inbox.heading}
        />
        {isSelecting ? <BulkBar inbox={inbox} /> : <Controls inbox={inbox} />}
      </div>
    </div>
  );
}

function NewRowsPill({ held, onShow }: { held: number; onShow: () => void }) {
  if (held === 0) return null;
  return (
    <div className="sticky top-14 z-20 sm:top-[7.25rem]">
      <button
        type="button"
        onClick={onShow}
        className="absolute top-full left-1/2 mt-1 inline-flex h-8 -translate-x-1/2 items-center gap-1.5 rounded-full bg-accent pr-3.5 pl-2.5 text-13 font-medium text-on-accent shadow-2 touch:h-11"
      >
        <ArrowUp size={15} aria-hidden />
        {held} new
      </button>
    </div>
  );
}

function OpenTaskPanel({ inbox, wide }: { inbox: Inbox; wide: boolean }) {
  const { openTask, rows, actions, filters } = inbox;
  if (!openTask.isOpen) return null;
  return (
    <TaskPanel.Component
      task={openTask.task}
      isGone={openTask.isGone}
      onLoadAgain={openTask.loadAgain}
      wide={wide}
      actions={actions}
      onFilter={(kind, value) => {
        if (!wide) openTask.close();
        filters.toggle(kind, value);
      }}
      onWalk={openTask.isListed ? (by) => openTask.follow(rows.cursor.move(by)) : null}
      onClose={openTask.close}
    />
  );
}
