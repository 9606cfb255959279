// How much of the queue is shown, and the way to more of it.
import { Link } from 'wouter';
import { Button } from '../../../ui/button.tsx';
import { Keys } from '../../../ui/keys.tsx';
import type { Inbox } from '../screen/use-inbox.ts';

/** More than this many steps of Load More away: offer all at once. */
const MANY = 150;

export function ListFooter({ inbox: { actions, filters, queue, rows } }: { inbox: Inbox }) {
  const shown = rows.shown.length;
  const total = Math.max(shown, queue.view.total);
  return (
    <footer className="mt-auto flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pt-6 pb-24 text-13 text-ink-2 sm:pb-8">
      <div className="flex flex-wrap items-center gap-3">
        <p className="nums">
          Showing {shown} of {total} items
        </p>
        {total > shown ? (
          <Button onClick={filters.more} disabled={queue.fetching}>
            {queue.fetching ? 'Loading…' : 'Load More'}
          </Button>
        ) : null}
        {total - shown > MANY ? (
          <Button kind="quiet" onClick={() => filters.all(queue.view.total)} disabled={queue.fetching}>
            Load all
          </Button>
        ) : null}
      </div>
      <div className="flex items-center gap-1 max-sm:-ml-2.5">
        <Link
          href="/api-docs"
          className="inline-flex min-h-9 items-center rounded-sm px-2.5 hover:bg-surface-2 hover:text-ink-1"
        >
          API documentation
        </Link>
        <button
          type="button"
          onClick={actions.showShortcuts}
          className="inline-flex min-h-9 items-center gap-2 rounded-sm px-2.5 hover:bg-surface-2 hover:text-ink-1 touch:hidden"
        >
          <Keys keys="?" />
          Shortcuts
        </button>
      </div>
    </footer>
  );
}
