// Recently acknowledged: tasks of the last ten minutes, which can be restored until their time is up.
import { UNDO_WINDOW_MS } from '#core/contract/limits.ts';
import { ArrowLeft, Undo2 } from 'lucide-react';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useQuery } from '../../../lib/queries.ts';
import { ApiError, problemOf, type Problem } from '../../../lib/api/api-error.ts';
import type { Outcome } from '../../../lib/outbox/types.ts';
import { outbox } from '../../../lib/outbox/service.ts';
import { PRIORITY_LABEL, sourceLabel } from '../../../lib/labels.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { usePublicConfig } from '../../../lib/public-config.ts';
import { subscribeLive, session, ticker } from '../../../lib/services.ts';
import { useSession } from '../../../lib/session/use-session.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { plural } from '../../../lib/text.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { fullTime, parseTime, timeLeft } from '../../../lib/time.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import type { Notice } from '../../../ui/toast-layer.tsx';
import { notify } from '../../../ui/toast.tsx';
import type { Restorable } from '../data/task-reader.ts';
import { demoOutbox, loadDemo } from '../data/demo.ts';
import { httpBackend } from '../data/http-task-reader.ts';

const REFRESH_MS = 30_000;

export default function AcknowledgedPage() {
  const [, navigate] = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useAcknowledged();
  const { items, restore, loading, unfetched } = list;
  usePageTitle('Recently acknowledged');
  useShortcuts({ Escape: () => navigate('/inbox') });

  function restoreAll(chosen: readonly Restorable[]) {
    heading.current?.focus();
    void restore(chosen);
  }

  return (
    <main className="mx-auto flex w-full max-w-[60rem] flex-1 flex-col px-3 pb-16 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
        <Link
          href="/inbox"
          className="-ml-2 inline-flex h-9 touch:h-11 items-center gap-2 rounded-sm px-2.5 text-14 text-ink-2 hover:bg-surface-2 hover:text-ink-1"
        >
          <ArrowLeft size={17} aria-hidden />
          Today
        </Link>
        <h1
          ref={heading}
          tabIndex={-1}
          className="flex items-baseline gap-2.5 text-20 font-semibold outline-none max-sm:order-last max-sm:basis-full"
        >
          Recently acknowledged
          <span className="nums font-normal text-ink-3">{items.length === 0 ? '' : items.length}</span>
        </h1>
        {items.length > 1 ? (
          <Button className="ml-auto" onClick={() => restoreAll(items)}>
            <Undo2 size={16} aria-hidden />
            Restore all
          </Button>
        ) : null}
      </div>
      <ProblemBanner className="mb-3" problem={list.problem} onDismiss={list.dismissProblem} />
      <ProblemBanner
        className="mb-3"
        problem={unfetched}
        action={<Button onClick={list.refresh}>Try again</Button>}
      />
      {items.length > 0 ? (
        <ul aria-label="Recently acknowledged" className="overflow-hidden rounded-md">
          {items.map((item) => (
            <Row key={item.task.id} item={item} onRestore={() => restoreAll([item])} />
          ))}
        </ul>
      ) : loading ? (
        <Spinner label="Loading what was acknowledged" />
      ) : unfetched !== null && !list.isKnown ? null : (
        <Nothing stranger={list.isStranger} />
      )}
    </main>
  );
}

const keyOf = ({ task }: Restorable) => `${task.id} ${task.version}`;

function useAcknowledged() {
  const { authenticated, loading, method, user } = useSession();
  const config = usePublicConfig(!authenticated);
  const [restored, setRestored] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<Problem | null>(null);
  const box = authenticated ? outbox : demoOutbox;

  const { data, error, isLoading, refetch } = useQuery({
    queryKey: ['acknowledged', method, user?.id],
    queryFn: async ({ signal }) =>
      (authenticated ? httpBackend : await loadDemo()).recentlyAcknowledged(signal),
    enabled: !loading && (authenticated || config?.guestQueue === false),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  useEffect(
    () =>
      subscribeLive(({ type }) => {
        if (['task.acknowledged', 'task.restored', 'connected', 'queue.reset'].includes(type)) void refetch();
      }),
    [refetch],
  );

  const ends = useMemo(
    () => (data ?? []).map(({ restorableUntil }) => parseTime(restorableUntil) ?? 0),
    [data],
  );
  const over = useTicking(ticker, (now) => ends.filter((end) => end <= now).length);
  const items = useMemo(
    () =>
      (data ?? []).filter(
        (item) =>
          !restored.has(keyOf(item)) && (over === 0 || (parseTime(item.restorableUntil) ?? 0) > ticker.now()),
      ),
    [data, restored, over],
  );

  async function restore(chosen: readonly Restorable[]) {
    const keys = chosen.map(keyOf);
    setProblem(null);
    setRestored((before) => new Set([...before, ...keys]));
    const operation = { kind: 'restore', tasks: chosen.map(({ task }) => task) } as const;
    const result = await box.add(operation).outcome;
    if (result.kind === 'refused') {
      setRestored((before) => new Set([...before].filter((key) => !keys.includes(key))));
      setProblem(await box.problemOf(result.error, operation));
    } else {
      void notify(noticeOf(result, chosen.length));
    }
    void refetch();
  }

  const isUnauthorized = error instanceof ApiError && error.status === 401;
  return {
    items,
    restore,
    problem,
    dismissProblem: () => setProblem(null),
    unfetched: error === null || isUnauthorized ? null : problemOf(error, 'Failed to fetch tasks'),
    refresh: () => void refetch(),
    isKnown: data !== undefined,
    loading: isLoading,
    /** A guest of a public queue: only the demo has a list for guests. */
    isStranger: !authenticated && config?.guestQueue === true,
  };
}

function noticeOf(result: Exclude<Outcome, { kind: 'refused' }>, asked: number): Notice {
  const count = result.kind === 'answered' ? result.tasks.length : asked;
  const items = plural(count, 'item');
  if (result.kind === 'answered') return { text: `${items} ${count === 1 ? 'is' : 'are'} back` };
  return {
    text: `${items} ${count === 1 ? 'comes' : 'come'} back with the connection`,
    detail: result.stored ? 'Kept on this device until then.' : 'If this page stays open until then.',
  };
}

function Row({
  item: { task, acknowledgedAt, restorableUntil },
  onRestore,
}: {
  item: Restorable;
  onRestore: () => void;
}) {
  const until = parseTime(restorableUntil) ?? 0;
  // At most the whole window, when the two clocks disagree by a moment.
  const left = useTicking(ticker, (now) => timeLeft(until, Math.max(now, until - UNDO_WINDOW_MS)));
  return (
    <li className="flex items-center gap-3 border-b border-line-1 bg-surface-1 py-2 pr-2 pl-3 last:border-0 sm:pl-4">
      <PriorityMark priority={task.priority} named />
      <div className="min-w-0 flex-1 sm:flex sm:items-center sm:gap-5">
        <p
          dir="auto"
          className="line-clamp-2 min-w-0 flex-1 text-16 wrap-anywhere whitespace-pre-line compact:text-14"
        >
          {task.content.slice(0, 480)}
        </p>
        <p className="flex shrink-0 gap-3 text-13 text-ink-3">
          <span className="sm:w-24">{sourceLabel(task.source)}</span>
          <span
            className="nums sm:w-[4.5rem] sm:text-right"
            data-hint={`Acknowledged ${fullTime(acknowledgedAt)}`}
          >
            {left}
          </span>
        </p>
      </div>
      <Button
        onClick={onRestore}
        aria-label={`Restore: ${PRIORITY_LABEL[task.priority]} priority: ${task.content.slice(0, 80)}`}
      >
        <Undo2 size={16} aria-hidden />
        <span className="max-sm:sr-only">Restore</span>
      </Button>
    </li>
  );
}

function Nothing({ stranger }: { stranger: boolean }) {
  return (
    <section className="mx-auto flex max-w-md flex-1 flex-col items-center justify-center gap-3 px-2 py-16 text-center">
      <h2 className="text-20 font-semibold">
        {stranger ? 'Authentication Required' : 'Nothing to take back'}
      </h2>
      <p className="text-16 text-balance text-ink-2">
        {stranger
          ? 'Sign in to see what you have acknowledged.'
          : 'What you acknowledge stays here for ten minutes, and can be restored.'}
      </p>
      {stranger ? (
        <Button kind="primary" onClick={() => session.require()}>
          Sign In
        </Button>
      ) : null}
    </section>
  );
}
