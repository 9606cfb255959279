// What a step of an escalation says, and to what it holds on while it says it.
import type { EscalationRecord, EscalationStep } from '#core/domain/escalation.ts';
import type { Task } from '#core/domain/task.ts';

/** A task that a step is about. */
export interface EscalationNotice {
  escalation: EscalationRecord;
  step: EscalationStep;
  /** The number of the step, from 1. */
  number: number;
  task: Task;
  /** It is a sample, not a task of the owner's. */
  isTest: boolean;
  /** The same for a repeat of the same step of the same task. */
  id: string;
  sending: Sending;
}

/** Whether a message of this step may be there already. */
export interface Sending {
  /** When it was sent, in milliseconds, where nobody knows whether it came; null when it was not. */
  lastAt: number | null;
  /** Stores that it is sent now; answers when that is. */
  begin(): Promise<number>;
}
