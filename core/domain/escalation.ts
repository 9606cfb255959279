// Escalation: an ordered list of steps, each so long after a task came, or came back, while nobody has
// acknowledged it. The steps of a task are work (work.ts), stored in the atomic write that makes the task;
// whether a step is still to be done is decided when it is due.
import { UNDO_WINDOW_MS, type Priority } from '../contract/index.ts';
import { clipFirstLine } from '../text/clean-text.ts';
import { isSnoozed } from './snooze.ts';
import { isRestorable, isVisible, type Task } from './task.ts';
import type { TaskEvent } from './task-event.ts';
import { newWork, type NewWork } from './work.ts';

/** What a step does. */
export type EscalationAction =
  /** Pushes the task to the devices of its owner again. */
  | { readonly kind: 'push' }
  /** Posts to an incoming webhook of Slack, or one that takes the same. Its address is a secret. */
  | { readonly kind: 'slack'; readonly encryptedUrl: string; readonly shown: string }
  /** Writes to an own account or channel in Slack, as the connected app. */
  | { readonly kind: 'slack'; readonly place: string }
  /** Mails an address. */
  | { readonly kind: 'mail'; readonly to: string }
  /** Tells a webhook out of the owner's. */
  | { readonly kind: 'webhook'; readonly webhookId: string };

export interface EscalationStep {
  readonly id: string;
  /** 0..10080. */
  readonly afterMinutes: number;
  readonly action: EscalationAction;
}

/** An escalation as it is stored. Times are milliseconds since the epoch, UTC. */
export interface EscalationRecord {
  readonly id: string;
  readonly name: string;
  /** The intake that it is for, by its id; null for all tasks that no other is for. */
  readonly intake: string | null;
  /** Tasks of these are escalated. */
  readonly priorities: readonly Priority[];
  /** Steps that are due meanwhile are left out. */
  readonly paused: boolean;
  /** In the order of their times. */
  readonly steps: readonly EscalationStep[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The kind of the work of a step: its lane is the step, its id the task's. */
export const ESCALATION_WORK = 'escalation';

/** What is stored with the work of a step. */
export interface StepPayload {
  /** The first line of the task, for the record. */
  readonly title: string;
  /** It is done at once, with a sample task. */
  readonly isTest?: true;
}

const MINUTE_MS = 60_000;
/** How soon a step is looked at again whose task it is not for now: the task may become one again. */
export const LOOK_AGAIN_MS = 60 * MINUTE_MS;
const MAX_TITLE_CHARACTERS = 120;

/** The escalation for a task; null when there is none, or not for its priority. */
export function escalationOf(
  escalations: readonly EscalationRecord[],
  { intake, priority }: Pick<Task, 'intake' | 'priority'>,
): EscalationRecord | null {
  const own = intake === null ? undefined : escalations.find((one) => one.intake === intake.id);
  const found = own ?? escalations.find((one) => one.intake === null);
  return found?.priorities.includes(priority) === true ? found : null;
}

/** From when on the time of the steps runs: when the task came, or came back from its sleep. */
function runsFrom({ createdAt, snoozedUntil }: Task): number {
  return Math.max(createdAt, snoozedUntil ?? createdAt);
}

function dueAt({ afterMinutes }: EscalationStep, task: Task): number {
  return runsFrom(task) + afterMinutes * MINUTE_MS;
}

/**
 * The work of the steps that a change of a task makes: those of a new task, or of one that an escalation
 * is for only now, or again, count from then; what waits is due sooner then, and when the task is restored,
 * or is to wake sooner. When the task is over, what waits is looked at once that is certain, to be stopped.
 */
export function escalationWork(
  escalations: readonly EscalationRecord[],
  { type, before, task, at }: TaskEvent,
): NewWork[] {
  const escalation = escalationOf(escalations, task);
  if (escalation === null) return [];
  const { steps } = escalation;
  if (type === 'task.acknowledged') return lookAt(steps, task, at + UNDO_WINDOW_MS);
  if (type === 'task.expired') return lookAt(steps, task, at);
  if (escalation.paused) return [];
  const fromNow = ({ afterMinutes }: EscalationStep) => at + afterMinutes * MINUTE_MS;
  const sooner = (due: (step: EscalationStep) => number) =>
    steps.map((step) => ({ ...stepWork(step, task, Math.max(at, due(step))), sooner: true as const }));
  if (before === null || escalationOf(escalations, before)?.id !== escalation.id) {
    const work = steps.map((step) => stepWork(step, task, fromNow(step)));
    return before === null ? work : [...work, ...sooner(fromNow)];
  }
  if (before.acknowledgedAt !== null && task.acknowledgedAt === null)
    return sooner((step) => dueAt(step, task));
  if (!isSnoozed(before, at)) return [];
  if (!isSnoozed(task, at)) return sooner(fromNow);
  return (task.snoozedUntil ?? 0) < (before.snoozedUntil ?? 0) ? sooner((step) => dueAt(step, task)) : [];
}

/** Makes those steps due at `at` that wait for longer. */
function lookAt(steps: readonly EscalationStep[], task: Task, at: number): NewWork[] {
  const later = steps.filter((step) => dueAt(step, task) > at);
  return later.map((step) => ({ ...stepWork(step, task, at), sooner: true as const }));
}

/** `createdAt` is when it is due first: failed attempts are repeated for days from then. */
function stepWork({ id: lane }: EscalationStep, { id, ownerId, content }: Task, due: number): NewWork {
  const title = clipFirstLine(content, MAX_TITLE_CHARACTERS);
  const payload = JSON.stringify({ title } satisfies StepPayload);
  const about = { id, kind: ESCALATION_WORK, ownerId, lane, key: id, sequence: 0, payload };
  return newWork(about, due);
}

/** What becomes of a step that is due. */
export type Verdict =
  | { readonly kind: 'act'; readonly task: Task }
  /** Not yet: it is looked at again then, in milliseconds. */
  | { readonly kind: 'wait'; readonly until: number; readonly reason: string }
  /** Never. */
  | { readonly kind: 'stop'; readonly reason: string };

/**
 * What becomes of a step at `now`. `task`: as it is stored, also acknowledged or expired; null when it is
 * gone. A step waits while its task sleeps, while its acknowledgement can be undone, and while it is not for
 * the task.
 */
export function verdictOn(
  step: EscalationStep,
  task: Task | null,
  escalations: readonly EscalationRecord[],
  now: number,
): Verdict {
  if (task === null) return stop('The task was acknowledged or has expired, and is gone.');
  if (task.acknowledgedAt !== null)
    return isRestorable(task, now)
      ? {
          kind: 'wait',
          until: task.acknowledgedAt + UNDO_WINDOW_MS,
          reason: 'The task was acknowledged, which can still be taken back.',
        }
      : stop('The task was acknowledged.');
  if (!isVisible(task, now)) return stop('The task has expired.');
  const escalation = escalationOf(escalations, task);
  if (escalation?.steps.some(({ id }) => id === step.id) !== true)
    return {
      kind: 'wait',
      // The same for each look of the same hour.
      until: now + LOOK_AGAIN_MS - ((now - task.createdAt) % LOOK_AGAIN_MS),
      reason: 'The escalation is not for this task now.',
    };
  if (escalation.paused) return stop('The escalation was paused.');
  const due = dueAt(step, task);
  if (now >= due) return { kind: 'act', task };
  return { kind: 'wait', until: due, reason: isSnoozed(task, now) ? 'The task is snoozed.' : '' };
}

function stop(reason: string): Verdict {
  return { kind: 'stop', reason };
}
