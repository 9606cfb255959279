// Escalations and their steps, as the API shows them.
import type { Escalation, EscalationRun } from '#core/contract/index.ts';
import type { EscalationAction, EscalationRecord, StepPayload } from '#core/domain/escalation.ts';
import type { Work } from '#core/domain/work.ts';
import type { StepResult } from '#core/services/work/steps.ts';
import { isoTime, isoTimeOrNull } from './time.ts';

function shownTo(action: EscalationAction): string | null {
  switch (action.kind) {
    case 'push':
      return null;
    case 'slack':
      return 'place' in action ? action.place : action.shown;
    case 'mail':
      return action.to;
    case 'webhook':
      return action.webhookId;
  }
}

export function presentEscalation(escalation: EscalationRecord): Escalation {
  const { id, name, intake, priorities, paused, steps, createdAt, updatedAt } = escalation;
  return {
    id,
    name,
    intake,
    paused,
    priorities: [...priorities],
    steps: steps.map((step) => ({
      id: step.id,
      afterMinutes: step.afterMinutes,
      kind: step.action.kind,
      to: shownTo(step.action),
    })),
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
  };
}

export function presentEscalationRun(work: Work): EscalationRun {
  const { title, isTest = false } = JSON.parse(work.payload) as StepPayload;
  const result = work.result === null ? null : (JSON.parse(work.result) as StepResult);
  const isStopped = work.status === 'done' && result?.outcome === 'stopped';
  return {
    step: work.lane,
    taskId: isTest ? null : work.id,
    title,
    dueAt: isoTime(work.dueAt ?? work.createdAt),
    status: isStopped ? 'stopped' : work.status,
    attempts: work.attempts,
    lastAttemptAt: isoTimeOrNull(work.lastAttemptAt),
    detail: result?.detail ?? null,
  };
}
