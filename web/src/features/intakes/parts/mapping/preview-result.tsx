// The tasks that a payload would become.
import type { Preview } from '#core/contract/index.ts';
import { Code } from '../../../../ui/code.tsx';
import { PriorityMark } from '../../../../ui/priority-mark.tsx';
import { PRIORITY_LABEL } from '../../../../lib/labels.ts';
import { spellMinutes } from '../../model/labels.ts';

const MOST_TASKS = 3;

export function PreviewResult({ preview }: { preview: Preview }) {
  const { tasks, closes, ignored, failed } = preview;
  return (
    <div className="flex flex-col gap-3 text-14">
      {failed === null ? null : (
        <p className="rounded-md bg-warn-soft px-3.5 py-2.5 wrap-anywhere">
          {failed} {tasks.length === 0 ? '' : 'This summary is made instead:'}
        </p>
      )}
      {ignored === null ? (
        tasks.slice(0, MOST_TASKS).map((task, index) => <PreviewTask key={index} task={task} />)
      ) : (
        <p className="text-ink-2">Ignored. {ignored}</p>
      )}
      {ignored === null && tasks.length > MOST_TASKS ? (
        <p className="text-ink-3">and {tasks.length - MOST_TASKS} more tasks</p>
      ) : null}
      {closes.length === 0 ? null : (
        <p className="text-ink-2">
          {closes.length === 1
            ? 'The task with this key is acknowledged:'
            : 'The tasks with these keys are acknowledged:'}{' '}
          <Code className="text-13 wrap-anywhere">{closes.slice(0, MOST_TASKS).join(', ')}</Code>
        </p>
      )}
      {tasks.length === 0 && closes.length === 0 && ignored === null && failed === null ? (
        <p className="text-ink-2">No task would come of it.</p>
      ) : null}
    </div>
  );
}

function PreviewTask({ task }: { task: Preview['tasks'][number] }) {
  const url = task.metadata['url'];
  return (
    <div className="flex items-start gap-3 rounded-md border border-line-1 bg-surface-1 px-4 py-3">
      <span className="flex h-6 items-center">
        <PriorityMark priority={task.priority} />
        <span className="sr-only">{PRIORITY_LABEL[task.priority]} priority</span>
      </span>
      <div className="min-w-0 flex-1">
        <p dir="auto" className="line-clamp-6 text-16 wrap-anywhere whitespace-pre-line">
          {task.content}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-13 text-ink-3">
          {task.tags.map((tag) => (
            <span key={tag} translate="no" className="text-ink-2">
              {`#${tag}`}
            </span>
          ))}
          {typeof url === 'string' ? <span className="min-w-0 wrap-anywhere">↗ {url}</span> : null}
          <span>lives {spellMinutes(task.expiryMinutes)}</span>
          {task.dedupeKey === null ? null : (
            <span className="min-w-0">
              key <Code className="wrap-anywhere">{task.dedupeKey}</Code>
            </span>
          )}
        </p>
      </div>
    </div>
  );
}
