// The task that is open beside the list. It follows the keyboard from row to row; it is in the address, so
// that it can be linked to, and so that Back closes it.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Task } from '#core/contract/index.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { useQuery } from '../../../lib/queries.ts';
import { api } from '../../../lib/services.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { isBackOfDialog } from '../../../ui/close-by-back.ts';
import { onDemand } from '../../../ui/on-demand.tsx';
import type { Queue } from '../data/use-queue.ts';
import type { Rows } from './use-rows.ts';

export const TaskPanel = onDemand(() => import('../parts/panel/task-panel.tsx'));

const PARAMETER = 'task';
/** The address follows once nobody walks on for this long: browsers limit how often it may change. */
const ADDRESS_DELAY_MS = 300;

export type OpenTask = ReturnType<typeof useOpenTask>;

export function useOpenTask(queue: Queue, { tasks, cursor, listName }: Rows) {
  const address = useOpenAddress();
  const { id } = address;
  const listed = tasks.find((task) => task.id === id) ?? null;
  const { task, isGone, loadAgain } = useTask(id, listed, queue);
  const { activeId, at } = cursor;

  // Opened by its address, by Back or by Forward: the keys go on from its row.
  const isListed = listed !== null;
  useEffect(() => {
    if (id !== null && isListed) at(id);
    // oxlint-disable-next-line react/exhaustive-deps -- `at` is another function each time.
  }, [id, isListed]);

  // Once it has left the queue the row that took its place is open, or none. One that only does not match the
  // filter any more stays open.
  const listedIn = useRef<string | null>(null);
  // Before it is drawn: the panel would say for a moment that the item has gone.
  useLayoutEffect(() => {
    if (id === null || queue.loading) return;
    if (listed !== null) {
      listedIn.current = listName;
      return;
    }
    const hasGone = listedIn.current === listName;
    listedIn.current = null;
    if (!hasGone) return;
    if (activeId === null || activeId === id) address.close();
    else address.walkTo(activeId);
  });

  return {
    /** Null while none is open, or while it is on its way. */
    task,
    isOpen: id !== null,
    /** It has a row. */
    isListed,
    id,
    /** It was opened by its address, and is not in the queue any more. */
    isGone,
    /** Null unless it was opened by its address and could not be loaded. */
    loadAgain,
    open: (wanted: string) => {
      cursor.at(wanted);
      address.open(wanted);
    },
    close: () => {
      address.close();
      // The focus stays where the eyes are.
      if (id !== null && listed !== null) cursor.focus(id);
    },
    /** What the keys act on while one is open: nothing while it is on its way, null once it has gone. */
    targets: isGone ? null : task === null ? [] : [task],
    /** Goes with the row that the keyboard has gone to. */
    follow: (wanted: string | null) => {
      if (id !== null && wanted !== null) address.walkTo(wanted);
    },
  };
}

/** The open task's id, and its place in the address. */
function useOpenAddress() {
  const [params, setParams] = useSearchParams();
  const inAddress = params.get(PARAMETER);
  const [id, setId] = useState(inAddress);
  const written = useRef(inAddress);
  const [code, setCode] = useState(TaskPanel.ready());
  /** The rest of the address when the task was opened: with the same rest, Back closes it. */
  const openedOver = useRef<string | null>(null);
  const rest = without(params);

  function write(next: string | null, replace: boolean) {
    written.current = next;
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (next === null) after.delete(PARAMETER);
        else after.set(PARAMETER, next);
        return after;
      },
      { replace },
    );
  }

  // Back, forward, or a link to another task.
  useEffect(() => {
    if (inAddress === written.current) return;
    written.current = inAddress;
    setId(inAddress);
  }, [inAddress]);

  useEffect(() => {
    if (id === null || code) return;
    let current = true;
    async function load() {
      await TaskPanel.load().catch(() => undefined);
      if (current) setCode(TaskPanel.ready());
    }
    void load();
    return () => {
      current = false;
    };
  }, [id, code]);

  useEffect(() => {
    if (id === null || id === written.current) return;
    const timer = setTimeout(() => write(id, true), ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  });

  return {
    id,
    open: (next: string) => {
      if (id === null) {
        openedOver.current = rest;
        write(next, false);
      }
      setId(next);
    },
    walkTo: setId,
    close: () => {
      if (id === null) return;
      setId(null);
      if (openedOver.current === rest && written.current !== null && !isBackOfDialog()) history.back();
      else write(null, true);
      openedOver.current = null;
    },
  };
}

function without(params: URLSearchParams): string {
  const rest = new URLSearchParams(params);
  rest.delete(PARAMETER);
  return rest.toString();
}

/** The task as the list has it, else as the server had it, with what has happened to it since. */
function useTask(id: string | null, listed: Task | null, queue: Queue) {
  const { authenticated } = useSession();
  const [last, setLast] = useState<Task | null>(null);
  const isElsewhere = id !== null && listed === null && last?.id !== id && !queue.loading;
  const fetched = useQuery({
    queryKey: ['task', id],
    queryFn: async ({ signal }) => (await api('GET /tasks/:id', { signal, params: { id: id ?? '' } })).task,
    enabled: isElsewhere && authenticated,
    gcTime: 0,
  });
  if (listed !== null && listed !== last) setLast(listed);
  const known = listed ?? (last?.id === id ? last : (fetched.data ?? null));
  if (id === null || listed !== null) return { task: listed, isGone: false, loadAgain: null };
  const task = known === null ? null : queue.newest(known);
  const { error, isPaused, refetch } = fetched;
  const isRefused = error instanceof ApiError && [400, 404].includes(error.status);
  const hasFailed = known === null && isElsewhere && (isPaused || (error !== null && !isRefused));
  return {
    task,
    isGone: known === null ? isElsewhere && (!authenticated || isRefused) : task === null,
    loadAgain: hasFailed ? () => void refetch() : null,
  };
}
