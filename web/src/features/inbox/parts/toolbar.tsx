// The counts of the queue, and the controls of the list.
import { ChevronDown, History, Plus, RotateCw, Search, X } from 'lucide-react';
import { Link } from 'wouter';
import { PRIORITIES, PRIORITY_LABEL } from '../../../lib/labels.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/hints.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';
import type { Filters } from '../screen/use-filters.ts';
import type { Inbox } from '../screen/use-inbox.ts';

export function Counts({ inbox: { queue, heading, isUnknown } }: { inbox: Inbox }) {
  const { statistics } = queue.view;
  // Unknown numbers have their place reserved.
  const shown = isUnknown ? 'invisible' : '';
  return (
    <div className="flex min-w-0 items-center gap-4">
      <h1
        ref={heading}
        tabIndex={-1}
        className="flex items-baseline gap-2.5 text-20 font-semibold outline-none"
      >
        Today
        <span className={`nums font-normal text-ink-3 ${shown}`}>
          {statistics.total}
          <span className="sr-only"> items</span>
        </span>
      </h1>
      <ul aria-label="By priority" className={`nums flex gap-3 text-14 text-ink-2 ${shown}`}>
        {PRIORITIES.map((priority) => (
          <li
            key={priority}
            className="flex items-center gap-1.5"
            data-hint={`${PRIORITY_LABEL[priority]} priority`}
          >
            <PriorityMark priority={priority} named />
            {statistics[priority]}
          </li>
        ))}
      </ul>
      {queue.demo ? (
        <span className="rounded-full bg-warn-soft px-2.5 py-0.5 text-13 font-medium whitespace-nowrap text-warn">
          Demo Mode
        </span>
      ) : null}
    </div>
  );
}

export function Controls({ inbox: { filters, queue, search, actions } }: { inbox: Inbox }) {
  const { field, leave } = search;
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1.5 max-sm:basis-full sm:justify-end sm:gap-2">
      <div className="relative min-w-0 flex-1 sm:max-w-52">
        <Search size={16} aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 text-ink-3" />
        <input
          ref={field}
          type="search"
          aria-label="Search"
          placeholder="Search"
          value={filters.search}
          onChange={(event) => filters.setSearch(event.target.value)}
          onBlur={leave}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            filters.setSearch('');
            event.currentTarget.blur();
          }}
          className="peer h-9 w-full rounded-sm border border-line-1 bg-surface-1 pr-8 pl-8 text-14 max-sm:pr-2 max-[22rem]:placeholder:opacity-0 transition-colors hover:border-line-2 [&::-webkit-search-cancel-button]:hidden"
        />
        {filters.search === '' ? (
          <span className="pointer-events-none absolute top-1.5 right-2 peer-focus:hidden touch:hidden">
            <Keys keys="/" />
          </span>
        ) : (
          <button
            type="button"
            aria-label="Clear search"
            onClick={() => {
              filters.setSearch('');
              field.current?.focus();
            }}
            className="absolute top-1.5 right-1.5 inline-flex size-6 items-center justify-center rounded-[4px] text-ink-3 hover:text-ink-1"
          >
            <X size={15} aria-hidden />
          </button>
        )}
      </div>
      <PriorityFilter filters={filters} />
      <IconButton label="Refresh" keys="." onClick={queue.refresh}>
        <RotateCw size={17} aria-hidden className={queue.fetching ? 'turn' : ''} />
      </IconButton>
      <Link
        href="/inbox?view=acknowledged"
        aria-label="Recently acknowledged"
        data-hint="Recently acknowledged"
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-3 hover:text-ink-1 max-sm:-ml-1.5"
      >
        <History size={17} aria-hidden />
      </Link>
      <Button
        kind="primary"
        onClick={actions.add}
        data-hint="Add Item"
        data-keys="c"
        className="max-sm:hidden"
      >
        <Plus size={17} aria-hidden />
        Add Item
      </Button>
    </div>
  );
}

function PriorityFilter({ filters: { filter, setPriority } }: { filters: Filters }) {
  const { priority } = filter;
  const label = priority === null ? 'All Priorities' : PRIORITY_LABEL[priority];
  return (
    <MenuButton
      menuLabel="Filter by priority"
      aria-label={`Filter by priority: ${label}`}
      className={`inline-flex h-9 shrink-0 items-center gap-2 rounded-sm border px-3 text-14 whitespace-nowrap transition-colors ${priority === null ? 'border-line-1 bg-surface-1 hover:border-line-2' : 'border-accent bg-accent-soft'}`}
      entries={[
        {
          kind: 'choice',
          label: 'All Priorities',
          active: priority === null,
          keys: '0',
          icon: <span className="w-3.5" />,
          onSelect: () => setPriority(null),
        },
        ...PRIORITIES.map((value, index) => ({
          kind: 'choice' as const,
          label: PRIORITY_LABEL[value],
          active: priority === value,
          keys: String(index + 1),
          icon: <PriorityMark priority={value} />,
          onSelect: () => setPriority(priority === value ? null : value),
        })),
      ]}
    >
      {priority === null ? null : <PriorityMark priority={priority} />}
      <span>{label}</span>
      <ChevronDown size={15} aria-hidden className="text-ink-3" />
    </MenuButton>
  );
}
