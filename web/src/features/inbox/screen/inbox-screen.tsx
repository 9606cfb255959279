// Today's tasks, drawn from the state in useInbox.
import './inbox.css';
import { ArrowUp, Plus } from 'lucide-react';
import { BulkBar } from '../parts/bulk-bar.tsx';
import { InboxDialogs } from '../parts/inbox-dialogs.tsx';
import { InboxList } from '../parts/inbox-list.tsx';
import { ListFooter } from '../parts/list-footer.tsx';
import { Notices } from '../parts/banners.tsx';
import { Controls, Counts } from '../parts/toolbar.tsx';
import { useInbox, type Inbox } from './use-inbox.ts';

export default function InboxScreen() {
  const inbox = useInbox();
  const { queue, rows, actions } = inbox;
  return (
    <main className="mx-auto flex w-full max-w-[60rem] flex-1 flex-col px-3 sm:px-6">
      <Toolbar inbox={inbox} />
      <div className="sticky top-14 z-20 bg-surface-0 sm:top-[7.25rem]">
        <Notices inbox={inbox} />
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
        <InboxList inbox={inbox} />
      </div>
      {/* Comes with the rows: its place is not known before. */}
      {queue.loading ? null : <ListFooter inbox={inbox} />}
      <button
        type="button"
        aria-label="Add Item"
        onClick={actions.add}
        className="fixed right-4 bottom-4 z-20 inline-flex size-14 items-center justify-center rounded-lg bg-accent text-on-accent shadow-2 sm:hidden"
      >
        <Plus size={24} aria-hidden />
      </button>
      <InboxDialogs inbox={inbox} />
    </main>
  );
}

function Toolbar({ inbox }: { inbox: Inbox }) {
  const isSelecting = inbox.rows.selection.ids.size > 0 && !inbox.search.isShown;
  return (
    <div className="top-14 z-20 bg-surface-0 pt-4 sm:sticky">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 pb-3">
        <Counts inbox={inbox} />
        {isSelecting ? <BulkBar inbox={inbox} /> : <Controls inbox={inbox} />}
      </div>
    </div>
  );
}
