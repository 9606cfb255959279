// The outcome of a test delivery: the task that it made.
import { ArrowRight } from 'lucide-react';
import { Link } from 'wouter';
import type { Dispatched } from '#core/contract/index.ts';
import { useQuery } from '../../../../lib/queries.ts';
import { ApiError } from '../../../../lib/api/api-error.ts';
import { api } from '../../../../lib/services.ts';
import { PriorityMark } from '../../../../ui/priority-mark.tsx';
import { VerdictMark } from '../chips.tsx';

/** It may still be on its way through the queue. */
const RETRIES = 5;
const RETRY_MS = 500;

function useTask(id: string) {
  return useQuery({
    queryKey: ['intakes', 'task', id],
    queryFn: async ({ signal }) => (await api('GET /tasks/:id', { params: { id }, signal })).task,
    retry: (count, error) => count < RETRIES && error instanceof ApiError && error.status === 404,
    retryDelay: RETRY_MS,
  });
}

export function TestResult({ dispatched }: { dispatched: Dispatched }) {
  const { verdict, reason, taskIds } = dispatched;
  const [first] = taskIds;
  return (
    <div role="status" className="rounded-md border border-line-1 px-4 py-3 text-14">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <VerdictMark verdict={verdict} />
        <span className="text-ink-2">
          {taskIds.length === 0
            ? (reason ?? 'The test made no task.')
            : taskIds.length === 1
              ? 'The test made a task, as a delivery would:'
              : `The test made ${taskIds.length} tasks, as a delivery would:`}
        </span>
      </p>
      {first === undefined ? null : <TaskLine id={first} />}
      {first === undefined ? null : (
        <Link
          href="/inbox"
          className="mt-2 inline-flex items-center gap-1 rounded-sm font-medium text-accent hover:text-accent-strong"
        >
          See it in the inbox
          <ArrowRight size={15} aria-hidden />
        </Link>
      )}
    </div>
  );
}

/** A task by its id: its first words, or that it has gone. */
export function TaskLine({ id }: { id: string }) {
  const { data: task, error } = useTask(id);
  if (task === undefined)
    return (
      <p className="mt-1.5 text-14 text-ink-3">
        {error === null ? 'Looking for the task…' : 'The task is no longer in the inbox.'}
      </p>
    );
  return (
    <p dir="auto" className="mt-1.5 flex items-start gap-2 font-medium">
      <span className="flex h-5 items-center">
        <PriorityMark priority={task.priority} named />
      </span>
      <span className="line-clamp-3 min-w-0 wrap-anywhere whitespace-pre-line">{task.content}</span>
    </p>
  );
}
