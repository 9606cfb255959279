// Which tasks are listed, and in which order. It is in the address, so that it survives a reload, can be
// shared, and can be saved as a view.
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Priority, TaskOrder } from '#core/contract/index.ts';
import { PRIORITIES } from '../../../lib/labels.ts';
import { ORDERS } from '../model/order.ts';
import { NO_FILTER, PAGE_SIZE, type Filter } from '../model/page.ts';
import { parseSearch, toggleToken, type TokenKind } from '../model/search.ts';

/** Scrolling loads as much again, up to this many. */
const LARGEST_STEP = 500;
const TYPING_MS = 200;
const LONGEST_SEARCH = 400;
const LONGEST_TEXT = 200;

/** The parameters of the address that make the list. */
const PARAMETERS = ['q', 'priority', 'order', 'snoozed'] as const;

export type Filters = ReturnType<typeof useFilters>;

export function useFilters() {
  const [params, setParams] = useSearchParams();
  const typed = trim(params.get('q') ?? '');
  const priority = params.get('priority');
  const order = params.get('order');
  const snoozed = params.get('snoozed') === 'true';
  const [search, setSearch] = useState(typed);
  // The text in the address as this page has written it.
  const written = useRef(typed);
  // Where a token begins that is still being typed: it does not filter yet.
  const [unfinished, setUnfinished] = useState<number | null>(null);
  const [limit, setLimit] = useState(PAGE_SIZE);
  const filter = useMemo(
    () => ({ ...filterOf(typed, priority, order), snoozed }),
    [typed, priority, order, snoozed],
  );

  function write(changes: Partial<Record<(typeof PARAMETERS)[number], string | null>>) {
    setLimit(PAGE_SIZE);
    if (changes.q !== undefined) written.current = trim(changes.q ?? '');
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace: true },
    );
  }

  // Back, Forward, or a link to the inbox: the field has what the address says.
  useEffect(() => {
    if (typed === written.current) return;
    written.current = typed;
    setSearch(typed);
    setUnfinished(null);
  }, [typed]);

  const wanted = trim(unfinished === null ? search : search.slice(0, unfinished));
  useEffect(() => {
    if (wanted === typed) return;
    const timer = setTimeout(() => write({ q: wanted }), TYPING_MS);
    return () => clearTimeout(timer);
  });

  /** At once, in the field and in the address. */
  function searchFor(text: string) {
    setSearch(text);
    setUnfinished(null);
    write({ q: trim(text) });
  }

  return {
    filter,
    limit,
    /** As it is being typed; the filter follows a moment later. */
    search,
    setSearch: (text: string, unfinishedFrom: number | null = null) => {
      setSearch(text);
      setUnfinished(unfinishedFrom);
    },
    /** What is typed filters as it is. */
    finish: () => setUnfinished(null),
    /** The same at once: the next key would act on a row that does not match. */
    finishNow: () => searchFor(search),
    /** Filters by a tag, a source or an intake, or no more. */
    toggle: (kind: TokenKind, value: string) => searchFor(toggleToken(trim(search), kind, value)),
    setPriority: (next: Priority | null) => {
      // One that was typed would go on to filter.
      const { priority: inText } = parseSearch(wanted);
      if (inText !== null) searchFor(toggleToken(wanted, 'priority', inText));
      write({ priority: next });
    },
    /** Shows the snoozed tasks instead of the others. */
    setSnoozed: (next: boolean) => write({ snoozed: next ? 'true' : null }),
    setOrder: (next: TaskOrder) => write({ order: next === 'newest' ? null : next }),
    clear: () => {
      setSearch('');
      setUnfinished(null);
      write({ q: null, priority: null, snoozed: null });
    },
    /** The list as a query, for a saved view. */
    query: queryOf(params),
    /** Shows the list of a saved view. */
    show: (query: string) => {
      const next = new URLSearchParams(query);
      setSearch(next.get('q') ?? '');
      setUnfinished(null);
      write(Object.fromEntries(PARAMETERS.map((name) => [name, next.get(name)])));
    },
    more: () => setLimit((before) => before + PAGE_SIZE),
    /** For a list that is scrolled on and on: in few steps, because each fetches the list anew. */
    muchMore: () => setLimit((before) => before + Math.min(before, LARGEST_STEP)),
    all: (total: number) => setLimit(Math.ceil(total / PAGE_SIZE) * PAGE_SIZE),
  };
}

/** The same view has the same query. */
function queryOf(params: URLSearchParams): string {
  const query = new URLSearchParams();
  for (const name of PARAMETERS) {
    const value = params.get(name);
    if (value !== null && value !== '') query.set(name, value);
  }
  return query.toString();
}

function filterOf(typed: string, priority: string | null, order: string | null): Filter {
  const search = parseSearch(typed);
  return {
    ...NO_FILTER,
    ...search,
    text: search.text.slice(0, LONGEST_TEXT),
    priority: PRIORITIES.find((known) => known === priority) ?? search.priority,
    order: ORDERS.find((known) => known === order) ?? 'newest',
  };
}

function trim(text: string): string {
  return text.trim().slice(0, LONGEST_SEARCH);
}
