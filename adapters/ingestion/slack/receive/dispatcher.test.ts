// Slack is answered in time, whatever hangs or breaks; and what waits too long on Slack's side is tried
// again, in bounds.
import type { App } from '@slack/bolt';
import { expect, it } from 'vitest';
import { waitFor } from '#test/program/wait.ts';
import { createDispatcher } from './dispatcher.ts';
import { FAILED, LATE, saying } from '../views/blocks.ts';
import { answer, answerThrough, type ListenerDeps } from '../listeners/listener.ts';
import { UnavailableError, createOutbox, RefusedError } from '../web-api/outbox.ts';

function quiet() {
  const lines: string[] = [];
  const note = (_fields: object, message: string) => void lines.push(message);
  return { lines, log: { debug: note, info: note, warn: note, error: note } };
}
function held<T>() {
  let letGo: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    letGo = resolve;
  });
  return { promise, letGo };
}

/** What the listeners of a program that waits `answerWithinMs` say, and to whom. */
function listening(answerWithinMs: number) {
  const { log, lines } = quiet();
  const outbox = createOutbox(log);
  const responses: unknown[] = [];
  const api = { respond: (_url: string, body: object) => Promise.resolve(void responses.push(body)) };
  const acks: unknown[] = [];
  const ack = (response?: object) => Promise.resolve(void acks.push(response));
  return {
    deps: { log, outbox, api, answerWithinMs } as unknown as ListenerDeps,
    ack,
    acks,
    responses,
    lines,
  };
}

it('a person who waits too long is told so, and the result follows', async () => {
  const { deps, ack, acks, responses } = listening(1);
  const work = held<ReturnType<typeof saying>>();
  await answer(deps, ack, 'https://hooks.slack.com/x', () => work.promise);
  expect(acks).toEqual([{ response_type: 'ephemeral', ...LATE }]);
  work.letGo(saying('done'));
  await waitFor('the late answer', () => responses.length > 0);
  expect(responses).toEqual([{ response_type: 'ephemeral', replace_original: false, ...saying('done') }]);

  const sent: unknown[] = [];
  const press = held<ReturnType<typeof saying>>();
  await answerThrough(
    deps,
    ack,
    () => press.promise,
    (message) => void sent.push(message),
  );
  expect([acks.length, sent.length]).toEqual([2, 0]);
  press.letGo(saying('pressed'));
  await waitFor('what follows', () => sent.length > 0);
});

it('what cannot be done becomes a sentence, not a fault', async () => {
  const { deps, ack, acks, lines } = listening(60_000);
  await answer(deps, ack, '', () => Promise.reject(new Error('broken')));
  expect(acks).toEqual([{ response_type: 'ephemeral', ...FAILED }]);
  expect(lines).toHaveLength(1);
});

it('an event counts when its listeners are through, and is asked for again when they fail or take too long', async () => {
  const { log } = quiet();
  const event = { body: { event: { type: 'x' } }, ack: () => Promise.resolve() };
  const app = (processEvent: () => Promise<void>) => ({ processEvent }) as unknown as App;
  const patient = createDispatcher(log);
  expect(
    await patient.dispatch(
      app(() => Promise.resolve()),
      event,
    ),
  ).toEqual({ accepted: true, response: undefined });
  expect(
    await patient.dispatch(
      app(() => Promise.reject(new Error('broken'))),
      event,
    ),
  ).toEqual({ accepted: false });
  const hanging = held<void>();
  const hasty = createDispatcher(log, 1);
  expect(
    await hasty.dispatch(
      app(() => hanging.promise),
      event,
    ),
  ).toEqual({ accepted: false });
  hanging.letGo();
  await hasty.stop();
});

it('a message is tried three times while Slack is away, once when it refuses, and never holds up the end', async () => {
  const { log, lines } = quiet();
  const outbox = createOutbox(log);
  const tried = { away: 0, refused: 0, patient: 0 };
  const inVain: string[] = [];
  outbox.send('away', () => Promise.reject(new UnavailableError('busy', tried.away++ < 9 ? 0 : 1)), {
    otherwise: () => void inVain.push('away'),
  });
  outbox.send('refused', () => Promise.reject(new RefusedError(`no ${tried.refused++}`)), {
    otherwise: () => void inVain.push('refused'),
  });
  await waitFor('both to be given up', () => inVain.length === 2);
  outbox.send('patient', () => Promise.reject(new UnavailableError(`busy ${tried.patient++}`, 50_000)));
  outbox.follow('broken', () => Promise.reject(new Error('broken')));
  await waitFor('the first try', () => tried.patient === 1);
  await outbox.stop();
  expect(tried).toEqual({ away: 3, refused: 1, patient: 2 });
  expect(lines).toHaveLength(4);
});
