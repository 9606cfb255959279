// Tells the log, once, of queues that do not answer while others do: what is in them is missing in the
// figures.
import type { Log } from '#core/ports/log.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import type { Outages } from './outages.ts';

const SENTENCE = 'queues do not answer: what is in them is not counted';

/** The queue, whose states are looked at as they are read. */
export function tellingOfSilent(
  queue: SubmissionQueue,
  log: Pick<Log, 'warn'>,
  outages: Pick<Outages, 'begins'>,
): SubmissionQueue {
  async function check(): Promise<void> {
    const silent = (await queue.states()).some(({ unanswered }) => unanswered > 0);
    if (silent) throw new Error(SENTENCE);
  }
  return {
    ...queue,
    async states() {
      const states = await queue.states();
      const silent = states.filter(({ unanswered }) => unanswered > 0);
      const queues = Object.fromEntries(silent.map(({ adapter, unanswered }) => [adapter, unanswered]));
      if (silent.length > 0 && outages.begins(SENTENCE, null, check))
        log.warn({ part: 'queue', queues }, SENTENCE);
      return states;
    },
  };
}
