// Does the steps of escalations when they are due: each once for a task, and not once the task is over. What
// was under way in a process that died is done again, under the same id.
import {
  LOOK_AGAIN_MS,
  verdictOn,
  type StepPayload,
  type EscalationRecord,
  type EscalationStep,
} from '#core/domain/escalation.ts';
import { sampleTask } from '#core/domain/sample-task.ts';
import type { Task } from '#core/domain/task.ts';
import type { Work } from '#core/domain/work.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { FollowUpStore } from '#core/ports/follow-up-store.ts';
import type { TaskStore } from '#core/ports/task-store.ts';
import type { WorkStore } from '#core/ports/work-store.ts';
import type { EscalationChannels } from './channels.ts';
import type { Attempt, WorkHandler } from '#core/services/work/runner.ts';
import {
  carriedOut,
  noteSending,
  putOff,
  sentAtOf,
  type StepAnswer,
  type StepResult,
} from '#core/services/work/steps.ts';

/** Called for each step that was done, or not; for measurements. Must not throw. */
export type EscalationObserver = (outcome: StepResult['outcome']) => void;

interface Parts {
  followUps: FollowUpStore;
  tasks: Pick<TaskStore, 'change'>;
  work: WorkStore;
  channels: EscalationChannels;
  /** Whether the owner's account may be used. */
  mayUse: (ownerId: string) => Promise<boolean>;
  clock: Clock;
  observe: EscalationObserver;
}

/**
 * Of the tasks of one step. One that leaves the escalation and comes back has each of its steps once while
 * its record is there, so this is more than is shown.
 */
const STEPS_ON_RECORD = 2000;

/** How old the settings may be that a step goes by. */
const FRESH_MS = 1000;

export function createEscalationSteps(parts: Parts): WorkHandler {
  const { followUps, mayUse, clock } = parts;

  /** The owner's escalations, read again after a second. */
  function settingsOf(ownerId: string) {
    let readAt = -Infinity;
    let current: readonly EscalationRecord[] = [];
    return async (): Promise<readonly EscalationRecord[]> => {
      if (clock.monotonic() - readAt >= FRESH_MS) {
        readAt = clock.monotonic();
        current = (await followUps.get(ownerId))?.escalations ?? [];
      }
      return current;
    };
  }

  return {
    async begin({ id, ownerId }) {
      const settings = settingsOf(ownerId);
      const found = stepOf(await settings(), id);
      if (found === null) return 'gone';
      if (!(await mayUse(ownerId))) return 'hold';
      return {
        attempt: (one) => attempt(one, settings, parts),
        // After a crash, what was under way is sent to an incoming webhook as what may be a repeat: one is,
        // not many. Slack takes one a second, too.
        ...(found.step.action.kind === 'slack' ? { mostAtOnce: 1 } : {}),
        mostOnRecord: STEPS_ON_RECORD,
      };
    },
  };
}

interface Found {
  escalation: EscalationRecord;
  step: EscalationStep;
}

function stepOf(escalations: readonly EscalationRecord[], id: string): Found | null {
  for (const escalation of escalations)
    for (const step of escalation.steps) if (step.id === id) return { escalation, step };
  return null;
}

type Settings = () => Promise<readonly EscalationRecord[]>;

async function attempt(one: Work, settings: Settings, parts: Parts): Promise<Attempt> {
  const found = stepOf(await settings(), one.lane);
  if (found === null) return { outcome: 'hold', result: '', ms: 0 };
  return carriedOut(one, parts, () => step(one, found, settings, parts));
}

async function step(one: Work, found: Found, settings: Settings, parts: Parts): Promise<StepAnswer> {
  const { work, channels, clock } = parts;
  const { isTest = false } = JSON.parse(one.payload) as StepPayload;
  const number = found.escalation.steps.indexOf(found.step) + 1;
  const sending = { lastAt: sentAtOf(one), begin: () => noteSending(one, parts) };
  const about = { ...found, number, isTest, id: `${one.lane} ${one.id}`, sending };
  if (isTest) return channels.notify({ ...about, task: sampleTask(one.id, one.ownerId, clock.now()) });
  for (let until = 0; ;) {
    const task = await read(one, parts);
    const verdict = verdictOn(found.step, task, await settings(), clock.now());
    switch (verdict.kind) {
      case 'act':
        return channels.notify({ ...about, task: verdict.task });
      case 'stop':
        return { kind: 'stopped', detail: verdict.reason };
      case 'wait':
        if (verdict.until === until) return { kind: 'left' };
        // A change of the task meanwhile, which wants it sooner, may find it not put off yet: once more.
        ({ until } = verdict);
        await putOff(one, { until: soonEnough(one, until, clock.now()), detail: verdict.reason }, work);
    }
  }
}

/** No change of the task makes due sooner what was tried: each hour it is looked at whether one wants it. */
function soonEnough({ attempts }: Work, until: number, now: number): number {
  return attempts === 0 ? until : Math.min(until, now + LOOK_AGAIN_MS);
}

/** The task as it is stored, also acknowledged or expired. */
async function read({ ownerId, id }: Work, { tasks }: Parts): Promise<Task | null> {
  const [found] = await tasks.change(ownerId, [id], (task) => task);
  return found?.after ?? null;
}
