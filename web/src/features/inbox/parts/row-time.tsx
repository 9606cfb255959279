// How old a task is while it is new, and how long it has left once that matters, with a short bar that
// shrinks; all by the page's one timer.
import type { Task } from '#core/contract/index.ts';
import { ticker } from '../../../lib/services.ts';
import { lifeLeft, stageOf } from '../../../lib/stage.ts';
import { useTicking } from '../../../lib/ticker.ts';
import {
  ageOf,
  fullTime,
  isAsleep,
  parseTime,
  relativeTime,
  timeLeft,
  UNKNOWN_TIME,
  wakeText,
} from '../../../lib/time.ts';

export function RowTime({ task }: { task: Task }) {
  const text = useTicking(ticker, (now) => timeText(task, now));
  const left = useTicking(ticker, (now) => timeLeft(parseTime(task.expiresAt) ?? now, now));
  const stage = useTicking(ticker, (now) => stageOf(task, now));
  const asleep = useTicking(ticker, (now) => isAsleep(task, now));
  const awake = task.pinned ? 'stays until acknowledged' : `${left}, expires ${fullTime(task.expiresAt)}`;
  const end = asleep ? `snoozed until ${fullTime(task.snoozedUntil)}` : awake;
  const isLate = stage === 'last-hour';
  return (
    <span className="relative block">
      <span
        data-hint={`Created ${relativeTime(task.createdAt, ticker.now())} · ${end}`}
        className={`nums block text-right text-13 whitespace-nowrap ${isLate ? 'font-medium text-warn' : 'text-ink-2'}`}
      >
        {text}
      </span>
      {(stage === 'aging' || isLate) && !asleep ? <LifeBar task={task} late={isLate} /> : null}
    </span>
  );
}

function timeText(task: Task, now: number): string {
  if (isAsleep(task, now)) return wakeText(parseTime(task.snoozedUntil) ?? now, now);
  if (task.pinned) return 'pinned';
  const stage = stageOf(task, now);
  if (stage === 'new' || stage === 'active') return ageOf(task.createdAt, now);
  const end = parseTime(task.expiresAt);
  return end === null ? UNKNOWN_TIME : timeLeft(end, now);
}

/** Steps of the bar: as many as it has pixels. */
const STEPS = 64;

function LifeBar({ task, late }: { task: Task; late: boolean }) {
  const steps = useTicking(ticker, (now) => Math.ceil(lifeLeft(task, now) * STEPS));
  return (
    <span
      aria-hidden
      className="absolute inset-x-0 -bottom-0.5 h-0.5 overflow-hidden rounded-full bg-surface-3"
    >
      <span
        className={`absolute inset-0 origin-left rounded-full ${late ? 'bg-warn' : 'bg-ink-3'}`}
        style={{ transform: `scaleX(${steps / STEPS})` }}
      />
    </span>
  );
}
