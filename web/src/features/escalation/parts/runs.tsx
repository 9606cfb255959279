// What came of an escalation in the last day: a line for each step of each task.
import { CircleCheck, CircleMinus, Clock, TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import type { Escalation, EscalationRun } from '#core/contract/index.ts';
import { ticker } from '../../../lib/services.ts';
import { plural } from '../../../lib/text.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { fullTime, relativeTime } from '../../../lib/time.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { useRuns } from '../data/escalations.ts';
import { wayText, type Receivers } from '../model/steps.ts';

interface RunsProps {
  escalation: Escalation;
  receivers: Receivers;
}

export function Runs({ escalation: { id, name, steps }, receivers }: RunsProps) {
  return (
    <Loaded
      query={useRuns(id)}
      loading="Loading what came of it"
      failure="Failed to fetch what came of it"
      className="py-3"
    >
      {(runs) =>
        runs.length === 0 ? (
          <p className="pt-2 text-14 text-ink-2">
            Nothing in the last 24 hours. Test every step to see what each does.
          </p>
        ) : (
          <ul
            aria-label={`What came of ${name}`}
            className="mt-2 divide-y divide-line-1 border-t border-line-1"
          >
            {runs.map((run) => {
              const index = steps.findIndex((step) => step.id === run.step);
              const step = steps[index];
              const way = step === undefined ? '' : `: ${wayText(step, receivers)}`;
              return (
                <Run
                  key={`${run.step} ${run.taskId ?? run.dueAt}`}
                  run={run}
                  step={`Step ${index + 1}${way}`}
                />
              );
            })}
          </ul>
        )
      }
    </Loaded>
  );
}

const STATUS = {
  waiting: { Icon: Clock, label: 'Waiting', colour: 'text-ink-3' },
  done: { Icon: CircleCheck, label: 'Done', colour: 'text-ok' },
  stopped: { Icon: CircleMinus, label: 'Stopped', colour: 'text-ink-3' },
  failed: { Icon: TriangleAlert, label: 'Failed', colour: 'text-warn' },
};

function Run({ run, step }: { run: EscalationRun; step: string }) {
  const { status, taskId, title, attempts, dueAt, lastAttemptAt, detail } = run;
  const { Icon, label, colour } = STATUS[status];
  const at = status === 'waiting' ? dueAt : (lastAttemptAt ?? dueAt);
  const when = useTicking(ticker, (now) => relativeTime(at, now));
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 py-2 text-14 sm:grid-cols-[5.5rem_minmax(0,1fr)_auto]">
      <span className="flex items-center gap-1.5 self-start">
        <Icon size={16} aria-hidden className={`shrink-0 ${colour}`} />
        {label}
      </span>
      <p className="min-w-0 wrap-anywhere max-sm:col-span-2 max-sm:row-start-2">{step}</p>
      <span className="text-13/[1.3125rem] whitespace-nowrap text-ink-3" data-hint={fullTime(at)}>
        {when}
      </span>
      <p className="col-span-2 flex min-w-0 flex-wrap gap-x-3 text-13 wrap-anywhere text-ink-2 sm:col-start-2">
        {taskId === null ? (
          <span>Test</span>
        ) : (
          <Link
            href={`/inbox?task=${encodeURIComponent(taskId)}`}
            className="line-clamp-2 underline decoration-line-2 underline-offset-3 hover:decoration-accent"
          >
            {title}
          </Link>
        )}
        {attempts > 1 ? <span className="nums">{plural(attempts, 'attempt')}</span> : null}
        {detail === null ? null : <span>{detail}</span>}
      </p>
    </li>
  );
}
