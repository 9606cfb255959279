// How long a task has left, in words and as a line that shrinks; both by the page's one timer.
import type { Task } from '#core/contract/index.ts';
import { ticker } from '../../../lib/services.ts';
import { lifeLeft, stageOf } from '../../../lib/stage.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { fullTime, parseTime, relativeTime, timeLeft, UNKNOWN_TIME } from '../../../lib/time.ts';

export function RowTime({ task }: { task: Task }) {
  const created = useTicking(ticker, (now) => relativeTime(task.createdAt, now));
  const left = useTicking(ticker, (now) => {
    const end = parseTime(task.expiresAt);
    return task.pinned ? 'pinned' : end === null ? UNKNOWN_TIME : timeLeft(end, now);
  });
  const late = useTicking(ticker, (now) => stageOf(task, now) === 'last-hour');
  const end = task.pinned ? 'stays until acknowledged' : `expires ${fullTime(task.expiresAt)}`;
  return (
    <>
      <span
        data-hint={`Created ${created} · ${end}`}
        className={`nums text-right text-13 whitespace-nowrap ${late ? 'font-medium text-warn' : 'text-ink-2'}`}
      >
        {left}
      </span>
      <span className="sr-only">, created {created}</span>
    </>
  );
}

/** Steps of the line: fine enough to look smooth, rare enough to cost nothing. */
const STEPS = 200;

export function LifeLine({ task }: { task: Task }) {
  const steps = useTicking(ticker, (now) => (task.pinned ? 0 : Math.ceil(lifeLeft(task, now) * STEPS)));
  const stage = useTicking(ticker, (now) => stageOf(task, now));
  const colour =
    stage === 'last-hour' ? 'h-0.5 bg-warn' : stage === 'aging' ? 'h-0.5 bg-warn/50' : 'h-px bg-ink-3/50';
  return (
    // Within the round corners of the last row of a sheet.
    <span
      aria-hidden
      className="pointer-events-none absolute inset-x-0 bottom-0 h-px bg-line-1 in-[.rounded-b-md]:inset-x-2.5"
    >
      {steps === 0 ? null : (
        <span
          className={`absolute inset-x-0 bottom-0 origin-left ${colour}`}
          style={{ transform: `scaleX(${steps / STEPS})` }}
        />
      )}
    </span>
  );
}
