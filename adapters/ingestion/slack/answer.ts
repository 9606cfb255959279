// When Slack is answered: once what it brought is durable, and never later than it waits. Events have no other answer than that; a
// button, form or command is answered by its listener.
import type { App } from '@slack/bolt';
import type { Log } from '#core/ports/log.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { ANSWER_WITHIN_MS } from './settings.ts';

type Incoming = Parameters<App['processEvent']>[0];

/** `value` where the work ended in time; null where it goes on. Rejects with the work. */
export function inTime<T>(work: Promise<T>, withinMs: number): Promise<{ value: T } | null> {
  return withTimeLimit(
    withinMs,
    work.then((value) => ({ value })),
    () => null,
  );
}

/** What Slack is told. `taken: false` asks it to send the same again. */
export type Answered = { taken: true; response: unknown } | { taken: false };

export type Intake = ReturnType<typeof createIntake>;

/** Gives what arrives to Bolt. */
export function createIntake(log: Log, answerWithinMs = ANSWER_WITHIN_MS) {
  const underWay = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    const tracked: Promise<T> = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    return tracked;
  }

  async function takeEvent(app: App, event: Incoming): Promise<Answered> {
    // Bolt acknowledges an event before its listeners have begun; here it counts when they are through.
    const work = track(app.processEvent({ ...event, ack: () => Promise.resolve() }));
    const ended = await inTime(work, answerWithinMs).catch((error: unknown) => {
      log.warn({ err: error }, 'an event of Slack was not taken in; Slack will send it again');
      return null;
    });
    work.catch(() => undefined);
    return ended === null ? { taken: false } : { taken: true, response: undefined };
  }

  function takeInteraction(app: App, event: Incoming): Promise<Answered> {
    return new Promise((resolve) => {
      const ack = (response?: unknown): Promise<void> => {
        resolve({ taken: true, response });
        return Promise.resolve();
      };
      track(app.processEvent({ ...event, ack: ack as Incoming['ack'] })).then(
        () => resolve({ taken: true, response: undefined }),
        (error: unknown) => {
          log.warn({ err: error }, 'what somebody did in Slack was not taken in');
          resolve({ taken: false });
        },
      );
    });
  }

  return {
    take: (app: App, event: Incoming): Promise<Answered> =>
      event.body['event'] === undefined ? takeInteraction(app, event) : takeEvent(app, event),
    async stop(): Promise<void> {
      await Promise.allSettled(underWay);
    },
  };
}
