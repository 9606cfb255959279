// An attempt at work that tells somebody something: what came of it, as the work's runner takes it.
import type { Work } from '#core/domain/work.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { WorkStore } from '#core/ports/work-store.ts';
import type { Attempt } from './runner.ts';

/** What is on record of an attempt. */
export interface StepResult {
  outcome: 'done' | 'stopped' | 'failed' | 'retry' | 'waiting';
  /** A sentence, for the owner. */
  detail: string;
  /** A message may have been sent at this time, in milliseconds; it is not known whether it came. */
  sentAt?: number;
}

/** What came of a step; `detail` is a sentence for the owner. */
export type StepAnswer =
  | { kind: 'done' | 'stopped' | 'failed'; detail: string }
  | { kind: 'retry'; detail: string; notBefore: number | null; sentAt?: number }
  /** It is looked at again then. */
  | { kind: 'wait'; until: number; detail: string }
  /** As `wait`; when is stored already. */
  | { kind: 'left' };

interface Parts {
  work: Pick<WorkStore, 'progress'>;
  clock: Clock;
  /** Called with what came of it, for measurements. Must not throw. */
  observe?: (outcome: StepResult['outcome']) => void;
}

/** Makes work due at another time, without an attempt; `detail` says why, or nothing. */
export function putOff(
  one: Work,
  { until: dueAt, detail }: { until: number; detail: string },
  work: Pick<WorkStore, 'progress'>,
): Promise<void> {
  const { attempts, lastAttemptAt } = one;
  const result =
    detail === ''
      ? one.result
      : JSON.stringify({ outcome: 'waiting', detail, ...maybeSent(sentAtOf(one)) } satisfies StepResult);
  return work.progress(one, { dueAt, status: 'waiting', attempts, lastAttemptAt, endedAt: null, result });
}

/** When a message was sent last, of which it is not known whether it came; null when there is none. */
export function sentAtOf({ result }: Pick<Work, 'result'>): number | null {
  return result === null ? null : ((JSON.parse(result) as StepResult).sentAt ?? null);
}

/** Stores that a message is sent now, before it is. */
export async function noteSending(
  one: Work,
  { work, clock }: Pick<Parts, 'work' | 'clock'>,
): Promise<number> {
  const { dueAt, status, attempts, lastAttemptAt, endedAt } = one;
  const sentAt = clock.now();
  const result = JSON.stringify({
    outcome: 'waiting',
    detail: 'The message is on its way.',
    sentAt,
  } satisfies StepResult);
  await work.progress(one, { dueAt, status, attempts, lastAttemptAt, endedAt, result });
  return sentAt;
}

const maybeSent = (sentAt: number | null) => (sentAt === null ? {} : { sentAt });

export async function carriedOut(
  one: Work,
  { work, clock, observe }: Parts,
  step: () => Promise<StepAnswer>,
): Promise<Attempt> {
  const began = clock.monotonic();
  const answer = await step();
  if (answer.kind === 'wait') await putOff(one, answer, work);
  if (answer.kind === 'wait' || answer.kind === 'left') return { outcome: 'later', result: '', ms: 0 };
  const { kind, detail } = answer;
  observe?.(kind);
  return {
    outcome: kind === 'stopped' ? 'done' : kind,
    result: JSON.stringify({
      outcome: kind,
      detail,
      // What may have come once may have come whatever is said of it later.
      ...(answer.kind === 'retry' ? maybeSent(answer.sentAt ?? sentAtOf(one)) : {}),
    } satisfies StepResult),
    ms: Math.round(clock.monotonic() - began),
    ...(kind === 'retry' && answer.notBefore !== null ? { notBefore: answer.notBefore } : {}),
  };
}
