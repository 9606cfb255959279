// How much of the queue is shown, and the way to more of it.
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Button } from '../../../ui/button.tsx';
import { Keys } from '../../../ui/keys.tsx';
import type { Inbox } from '../screen/use-inbox.ts';

/** More than this many steps of Load More away: offer all at once. */
const MANY = 150;

export function ListFooter({ inbox: { actions, filters, queue, rows } }: { inbox: Inbox }) {
  const shown = rows.shown.length;
  const total = Math.max(shown, queue.view.total);
  const foot = useRef<HTMLElement>(null);
  useLoadOnScroll(foot, total > shown && !queue.fetching && queue.offline === null, filters.muchMore);
  return (
    <footer
      ref={foot}
      className="mt-auto flex flex-wrap items-center justify-between gap-x-6 gap-y-3 pt-6 pb-20 text-13 text-ink-2"
    >
      <div className="flex flex-wrap items-center gap-3">
        <p className="nums">
          Showing {shown} of {total} items
        </p>
        {total > shown ? (
          <Button onClick={filters.more} disabled={queue.fetching} className="touch:h-11">
            {queue.fetching ? 'Loading…' : 'Load More'}
          </Button>
        ) : null}
        {total - shown > MANY ? (
          <Button
            kind="quiet"
            onClick={() => filters.all(queue.view.total)}
            disabled={queue.fetching}
            className="touch:h-11"
          >
            Load all
          </Button>
        ) : null}
      </div>
      <div className="flex items-center gap-1 max-sm:-ml-2.5">
        <Link
          href="/api-docs"
          className="inline-flex min-h-9 items-center rounded-sm px-2.5 touch:min-h-11 hover:bg-surface-2 hover:text-ink-1"
        >
          API documentation
        </Link>
        <a
          href="/docs"
          className="inline-flex min-h-9 items-center rounded-sm px-2.5 touch:min-h-11 hover:bg-surface-2 hover:text-ink-1"
        >
          Docs
        </a>
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

/** How far below the window the end of the list is when more is loaded: about a window. */
const AHEAD = '0px 0px 100% 0px';

/** Loads more when the end of the list comes near, once it has been scrolled. */
function useLoadOnScroll(foot: { current: HTMLElement | null }, wanted: boolean, load: () => void): void {
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  useEffect(() => {
    if (foot.current === null || !wanted || !('IntersectionObserver' in window)) return;
    let near = false;
    const observer = new IntersectionObserver(
      (entries) => {
        near = entries.at(-1)?.isIntersecting === true;
        // A list that fits into the window is loaded further by its button.
        if (near && window.scrollY > 0) latest.current();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [foot, wanted]);
}
