// Socket Mode: Slack's requests over a WebSocket that is opened from here, for a server that Slack cannot reach. It is opened again
// whenever it ends; nothing that goes wrong with it can end the program.
import { setTimeout as pause } from 'node:timers/promises';
import type { App, Receiver, SocketModeReceiver } from '@slack/bolt';
import type { AdapterState } from '#core/ports/adapter/context.ts';
import type { Log } from '#core/ports/log.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Intake } from './answer.ts';

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 60_000;
/** A connection that ends before counts as one that failed. */
const STEADY_MS = 10_000;

export interface SocketReceiver extends Receiver {
  state(): AdapterState;
}

/** `receiver` without reconnecting of its own: that one gives up, or throws where nobody hears it. */
export function createSocketReceiver(
  receiver: SocketModeReceiver,
  { intake, log, clock }: { intake: Intake; log: Log; clock: Clock },
): SocketReceiver {
  const ending = new AbortController();
  let state: AdapterState = { ok: false, detail: 'Socket Mode is connecting' };
  let keeping: Promise<void> | undefined;
  let gone: (() => void) | undefined;

  receiver.client.on('disconnected', () => gone?.());

  /** Resolves when a connection that stood has ended; rejects when none came about. */
  async function connectOnce(): Promise<void> {
    const lost = new Promise<void>((resolve) => {
      gone = resolve;
    });
    await receiver.start();
    // It was asked to end while it began.
    if (ending.signal.aborted) return receiver.stop();
    state = { ok: true, detail: 'connected by Socket Mode' };
    log.info({}, 'connected to Slack by Socket Mode');
    await lost;
    state = { ok: false, detail: 'Socket Mode is connecting again' };
  }

  async function keepOpen(): Promise<void> {
    for (let failures = 0; !ending.signal.aborted;) {
      const began = clock.monotonic();
      try {
        await connectOnce();
        failures = clock.monotonic() - began >= STEADY_MS ? 0 : failures + 1;
      } catch (error) {
        failures++;
        const why = (error as Error | undefined)?.message ?? 'it was closed';
        state = { ok: false, detail: `Socket Mode is not connected: ${why}` };
        log.warn({ why, failures }, 'Slack is not connected; it is tried again');
      }
      if (failures === 0) continue;
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), MAX_WAIT_MS);
      await pause(wait, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
    }
  }

  return {
    init(app) {
      // All that the receiver asks of its app.
      const taking: Pick<App, 'processEvent'> = {
        async processEvent(event) {
          const answered = await intake.take(app, event);
          // What is not acknowledged is sent again.
          if (answered.taken) await event.ack(answered.response);
        },
      };
      receiver.init(taking as App);
    },
    start() {
      keeping ??= keepOpen();
      return Promise.resolve();
    },
    async stop() {
      ending.abort();
      await receiver.stop();
      gone?.();
      await keeping;
    },
    state: () => state,
  };
}
