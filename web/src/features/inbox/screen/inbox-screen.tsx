// Today's tasks, drawn from the state in useInbox.
import './inbox.css';
import { ArrowUp, Plus } from 'lucide-react';
import { BulkBar } from '../parts/bulk-bar.tsx';
import { InboxDialogs } from '../parts/inbox-dialogs.tsx';
import { InboxList } from '../parts/inbox-list.tsx';
import { ListFooter } from '../parts/list-footer.tsx';
import { Notices } from '../parts/notices.tsx';
import { Controls, Counts } from '../parts/toolbar.tsx';
import { useInbox, type Inbox } from './use-inbox.ts';

export default function InboxScreen() {
  const inbox = useInbox();
  const { queue, filters, rows, guest, link, problem, dialogs, actions } = inbox;
  return (
    <main className="mx-auto flex w-full max-w-[60rem] flex-1 flex-col px-3 sm:px-6">
      <Toolbar inbox={inbox} />
      <div className="sticky top-14 z-20 bg-surface-0 sm:top-[7.25rem]">
        <Notices
          link={link.problem}
          onDismissLink={link.dismiss}
          guest={guest.isShown}
          demo={queue.demo}
          onDismissGuest={guest.dismiss}
          queue={queue}
          problem={problem.problem}
          onDismissProblem={problem.dismiss}
        />
        {rows.held > 0 ? (
          <button
            type="button"
            onClick={rows.showHeld}
            className="absolute top-full left-1/2 mt-1 inline-flex h-8 -translate-x-1/2 items-center gap-1.5 rounded-full bg-accent pr-3.5 pl-2.5 text-13 font-medium text-on-accent shadow-2"
          >
            <ArrowUp size={15} aria-hidden />
            {rows.held} new
          </button>
        ) : null}
      </div>
      <p role="status" className="sr-only">
        {inbox.announcement}
      </p>
      <div className="flex flex-col" {...rows.reading}>
        <InboxList
          queue={queue}
          filters={filters}
          rows={rows}
          actions={inbox.rowActions}
          everUsed={inbox.everUsed}
          onAdd={actions.add}
        />
      </div>
      {queue.loading ? null : (
        // Comes with the rows: its place is not known before.
        <ListFooter
          shown={rows.shown.length}
          total={Math.max(rows.shown.length, queue.view.total)}
          loading={queue.fetching}
          onMore={filters.more}
          onAll={() => filters.all(queue.view.total)}
          onShortcuts={actions.showShortcuts}
        />
      )}
      <button
        type="button"
        aria-label="Add Item"
        onClick={actions.add}
        className="fixed right-4 bottom-4 z-20 inline-flex size-14 items-center justify-center rounded-lg bg-accent text-on-accent shadow-2 sm:hidden"
      >
        <Plus size={24} aria-hidden />
      </button>
      <InboxDialogs dialogs={dialogs} tasks={queue.view.tasks} actions={actions} onSave={inbox.save} />
    </main>
  );
}

function Toolbar({ inbox: { queue, filters, rows, search, actions, heading, isUnknown } }: { inbox: Inbox }) {
  const { selection, selected, selectedTasks } = rows;
  return (
    <div className="top-14 z-20 bg-surface-0 pt-4 sm:sticky">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 pb-3">
        <Counts statistics={queue.view.statistics} demo={queue.demo} unknown={isUnknown} heading={heading} />
        {selection.ids.size > 0 && !search.isShown ? (
          <BulkBar
            batch={selected.batch}
            run={(command) => command.run(actions, selectedTasks)}
            onClear={selection.clear}
          />
        ) : (
          <Controls
            priority={filters.filter.priority}
            onPriority={filters.setPriority}
            search={filters.search}
            onSearch={filters.setSearch}
            searchField={search.field}
            onSearchLeft={search.leave}
            refreshing={queue.fetching}
            onRefresh={queue.refresh}
            onAdd={actions.add}
          />
        )}
      </div>
    </div>
  );
}
