// The counts of the queue, and the controls of the list.
import { ChevronDown, History, Plus, RotateCw, Search, X } from 'lucide-react';
import type { RefObject } from 'react';
import { Link } from 'wouter';
import type { Priority, Statistics } from '#core/contract/index.ts';
import { PRIORITIES, PRIORITY_LABEL } from '../../../lib/labels.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/hints.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';

interface CountsProps {
  statistics: Statistics;
  demo: boolean;
  /** The numbers are not known yet: their place is reserved. */
  unknown: boolean;
  heading: RefObject<HTMLHeadingElement | null>;
}

export function Counts({ statistics, demo, unknown, heading }: CountsProps) {
  return (
    <div className="flex min-w-0 items-center gap-4">
      <h1
        ref={heading}
        tabIndex={-1}
        className="flex items-baseline gap-2.5 text-20 font-semibold outline-none"
      >
        Today
        <span className={`nums font-normal text-ink-3 ${unknown ? 'invisible' : ''}`}>
          {statistics.total}
          <span className="sr-only"> items</span>
        </span>
      </h1>
      <ul
        aria-label="By priority"
        className={`nums flex gap-3 text-14 text-ink-2 ${unknown ? 'invisible' : ''}`}
      >
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
      {demo ? (
        <span className="rounded-full bg-warn-soft px-2.5 py-0.5 text-13 font-medium whitespace-nowrap text-warn">
          Demo Mode
        </span>
      ) : null}
    </div>
  );
}

interface ControlsProps {
  priority: Priority | null;
  onPriority: (priority: Priority | null) => void;
  search: string;
  onSearch: (text: string) => void;
  searchField: RefObject<HTMLInputElement | null>;
  onSearchLeft: () => void;
  refreshing: boolean;
  onRefresh: () => void;
  onAdd: () => void;
}

export function Controls(props: ControlsProps) {
  const { priority, onPriority, search, onSearch, searchField, onSearchLeft, refreshing, onRefresh, onAdd } =
    props;
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1.5 max-sm:basis-full sm:justify-end sm:gap-2">
      <div className="relative min-w-0 flex-1 sm:max-w-52">
        <Search size={16} aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 text-ink-3" />
        <input
          ref={searchField}
          type="search"
          aria-label="Search"
          placeholder="Search"
          value={search}
          onChange={(event) => onSearch(event.target.value)}
          onBlur={onSearchLeft}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            onSearch('');
            event.currentTarget.blur();
          }}
          className="peer h-9 w-full rounded-sm border border-line-1 bg-surface-1 pr-8 pl-8 text-14 max-sm:pr-2 max-[22rem]:placeholder:opacity-0 transition-colors hover:border-line-2 [&::-webkit-search-cancel-button]:hidden"
        />
        {search === '' ? (
          <span className="pointer-events-none absolute top-1.5 right-2 peer-focus:hidden touch:hidden">
            <Keys keys="/" />
          </span>
        ) : (
          <button
            type="button"
            aria-label="Clear search"
            onClick={() => {
              onSearch('');
              searchField.current?.focus();
            }}
            className="absolute top-1.5 right-1.5 inline-flex size-6 items-center justify-center rounded-[4px] text-ink-3 hover:text-ink-1"
          >
            <X size={15} aria-hidden />
          </button>
        )}
      </div>
      <PriorityFilter priority={priority} onPriority={onPriority} />
      <IconButton label="Refresh" keys="." onClick={onRefresh}>
        <RotateCw size={17} aria-hidden className={refreshing ? 'turn' : ''} />
      </IconButton>
      <Link
        href="/inbox?view=acknowledged"
        aria-label="Recently acknowledged"
        data-hint="Recently acknowledged"
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-3 hover:text-ink-1 max-sm:-ml-1.5"
      >
        <History size={17} aria-hidden />
      </Link>
      <Button kind="primary" onClick={onAdd} data-hint="Add Item" data-keys="c" className="max-sm:hidden">
        <Plus size={17} aria-hidden />
        Add Item
      </Button>
    </div>
  );
}

function PriorityFilter({ priority, onPriority }: Pick<ControlsProps, 'priority' | 'onPriority'>) {
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
          onSelect: () => onPriority(null),
        },
        ...PRIORITIES.map((value, index) => ({
          kind: 'choice' as const,
          label: PRIORITY_LABEL[value],
          active: priority === value,
          keys: String(index + 1),
          icon: <PriorityMark priority={value} />,
          onSelect: () => onPriority(priority === value ? null : value),
        })),
      ]}
    >
      {priority === null ? null : <PriorityMark priority={priority} />}
      <span>{label}</span>
      <ChevronDown size={15} aria-hidden className="text-ink-3" />
    </MenuButton>
  );
}
