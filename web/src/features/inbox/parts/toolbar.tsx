// The controls of the list.
import { ChevronDown, History, ListFilter, Plus, RotateCw, SlidersHorizontal } from 'lucide-react';
import { Link } from 'wouter';
import { PRIORITIES, PRIORITY_LABEL } from '../../../lib/labels.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/hints.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';
import { ORDER_LABEL, ORDERS } from '../model/order.ts';
import type { Filters } from '../screen/use-filters.ts';
import type { Inbox } from '../screen/use-inbox.ts';
import { SearchField } from './search-field.tsx';

export function Controls({ inbox }: { inbox: Inbox }) {
  const { filters, queue, actions } = inbox;
  return (
    <div
      role="group"
      aria-label="List"
      className="flex min-w-0 flex-1 items-center gap-1.5 max-[18rem]:flex-wrap max-sm:basis-full sm:min-w-72 sm:justify-end sm:gap-2 sm:@max-[36rem]:gap-1"
    >
      <SearchField inbox={inbox} />
      <PriorityFilter filters={filters} />
      <ViewMenu inbox={inbox} />
      <IconButton label="Refresh" keys="." onClick={queue.refresh} className={`touch:size-11 ${ASIDE}`}>
        <RotateCw size={17} aria-hidden className={queue.fetching ? 'turn' : ''} />
      </IconButton>
      <Link
        href="/inbox?view=acknowledged"
        aria-label="Recently acknowledged"
        data-hint="Recently acknowledged"
        className={`inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-3 hover:text-ink-1 max-sm:-ml-1.5 touch:size-11 ${ASIDE}`}
      >
        <History size={17} aria-hidden />
      </Link>
      <Button
        kind="primary"
        onClick={actions.add}
        aria-label="Add Item"
        data-hint="Add Item"
        data-keys="c"
        className="max-sm:hidden @max-[49rem]:w-9 @max-[49rem]:px-0 touch:h-11 touch:@max-[49rem]:w-11"
      >
        <Plus size={17} aria-hidden />
        <span className="@max-[49rem]:hidden">Add Item</span>
      </Button>
    </div>
  );
}

/** On a phone the field has the whole line while someone types. */
const ASIDE = 'max-sm:in-[[role=group]:has(input:focus)]:hidden';
const CONTROL =
  'inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-sm border text-14 whitespace-nowrap transition-colors touch:h-11 touch:min-w-11';
const OFF = 'border-line-1 bg-surface-1 hover:border-line-2';
const ON = 'border-accent bg-accent-soft';

function PriorityFilter({ filters: { filter, setPriority } }: { filters: Filters }) {
  const { priority } = filter;
  const label = priority === null ? 'All Priorities' : PRIORITY_LABEL[priority];
  return (
    <MenuButton
      menuLabel="Filter by priority"
      aria-label={`Filter by priority: ${label}`}
      className={`${CONTROL} px-3 @max-[56rem]:px-2.5 ${ASIDE} ${priority === null ? OFF : ON}`}
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
      {priority === null ? (
        <ListFilter size={16} aria-hidden className="text-ink-2 @[56rem]:hidden" />
      ) : (
        <PriorityMark priority={priority} />
      )}
      <span className="@max-[56rem]:hidden">{label}</span>
      <ChevronDown size={15} aria-hidden className="text-ink-3 @max-[56rem]:hidden" />
    </MenuButton>
  );
}

/** How the list is arranged, and the saved views. */
function ViewMenu({ inbox: { filters, views, actions } }: { inbox: Inbox }) {
  const { order } = filters.filter;
  const saved = views.all.find(({ query }) => query === filters.query);
  const isPlain = order === 'newest' && saved === undefined;
  const entries: MenuEntry[] = [
    ...ORDERS.map((value) => ({
      kind: 'choice' as const,
      label: ORDER_LABEL[value],
      active: order === value,
      onSelect: () => filters.setOrder(value),
    })),
    ...(views.all.length === 0 ? [] : [{ kind: 'note' as const, label: 'Saved views' }]),
    ...views.all.map(({ id, name, key, query }) => ({
      kind: 'item' as const,
      id,
      label: name,
      keys: key ?? undefined,
      onSelect: () => filters.show(query),
    })),
    ...(views.canSave
      ? [{ kind: 'item' as const, label: 'Save or change views', keys: 'v', onSelect: actions.showViews }]
      : []),
  ];
  return (
    <MenuButton
      menuLabel="View"
      aria-label={`View: ${saved?.name ?? ORDER_LABEL[order]}`}
      data-hint="View"
      className={`${CONTROL} max-w-28 px-2.5 ${ASIDE} ${isPlain ? OFF : ON}`}
      entries={entries}
    >
      <SlidersHorizontal size={16} aria-hidden className="shrink-0 text-ink-2" />
      {saved === undefined ? null : <span className="truncate @max-[56rem]:hidden">{saved.name}</span>}
    </MenuButton>
  );
}
