// Gives Slack's requests to Bolt and decides when Slack is answered: once the work is durable, and never
// later than Slack waits. Events are answered when their listeners are done; a button, form or command is
// answered by its listener.
import type { App } from '@slack/bolt';
import type { Log } from '#core/ports/log.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { ANSWER_WITHIN_MS } from '../settings.ts';

type Incoming = Parameters<App['processEvent']>[0];

/** The answer to Slack. `accepted: false` asks it to send the same again. */
export type DispatchResult = { accepted: true; response: unknown } | { accepted: false };

const DONE: DispatchResult = { accepted: true, response: undefined };
const NOT_ACCEPTED: DispatchResult = { accepted: false };

export type Dispatcher = ReturnType<typeof createDispatcher>;

export function createDispatcher(log: Log, answerWithinMs = ANSWER_WITHIN_MS) {
  const inFlight = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    const tracked: Promise<T> = work.finally(() => inFlight.delete(tracked));
    inFlight.add(tracked);
    return tracked;
  }

  function dispatchEvent(app: App, event: Incoming): Promise<DispatchResult> {
    // Bolt acknowledges an event before its listeners begin; here it counts once they are done.
    const work = track(app.processEvent({ ...event, ack: () => Promise.resolve() }));
    return withTimeLimit(
      answerWithinMs,
      work.then(() => DONE),
      () => NOT_ACCEPTED,
    ).catch((error: unknown) => {
      log.warn({ err: error }, 'an event of Slack was not taken in; Slack will send it again');
      return NOT_ACCEPTED;
    });
  }

  function dispatchInteraction(app: App, event: Incoming): Promise<DispatchResult> {
    return new Promise((resolve) => {
      const ack = (response?: unknown): Promise<void> => {
        resolve({ accepted: true, response });
        return Promise.resolve();
      };
      track(app.processEvent({ ...event, ack: ack as Incoming['ack'] })).then(
        () => resolve(DONE),
        (error: unknown) => {
          log.warn({ err: error }, 'what somebody did in Slack was not taken in');
          resolve(NOT_ACCEPTED);
        },
      );
    });
  }

  return {
    dispatch: (app: App, event: Incoming): Promise<DispatchResult> =>
      event.body['event'] === undefined ? dispatchInteraction(app, event) : dispatchEvent(app, event),
    async stop(): Promise<void> {
      await Promise.allSettled(inFlight);
    },
  };
}
