// The filter of the list. It is in the address, so that it survives a reload and can be shared.
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Priority } from '#core/contract/index.ts';
import { PRIORITIES } from '../../../lib/labels.ts';
import type { Filter } from '../model/page.ts';

const PAGE_SIZE = 50;
const TYPING_MS = 200;
const LONGEST_SEARCH = 200;

export type Filters = ReturnType<typeof useFilters>;

export function useFilters() {
  const [params, setParams] = useSearchParams();
  const asked = params.get('priority');
  const priority = PRIORITIES.find((known) => known === asked) ?? null;
  const q = (params.get('q') ?? '').trim().slice(0, LONGEST_SEARCH);
  const [search, setSearch] = useState(q);
  const [limit, setLimit] = useState(PAGE_SIZE);
  const filter: Filter = useMemo(() => ({ priority, q }), [priority, q]);

  function write(changes: { priority?: Priority | null; q?: string }) {
    setLimit(PAGE_SIZE);
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

  const wanted = search.trim().slice(0, LONGEST_SEARCH);
  useEffect(() => {
    if (wanted === q) return;
    const timer = setTimeout(() => write({ q: wanted }), TYPING_MS);
    return () => clearTimeout(timer);
  });

  return {
    filter,
    limit,
    /** As it is being typed; the filter follows a moment later. */
    search,
    setSearch,
    setPriority: (next: Priority | null) => write({ priority: next }),
    clear: () => {
      setSearch('');
      write({ priority: null, q: '' });
    },
    more: () => setLimit((before) => before + PAGE_SIZE),
    all: (total: number) => setLimit(Math.ceil(total / PAGE_SIZE) * PAGE_SIZE),
  };
}
