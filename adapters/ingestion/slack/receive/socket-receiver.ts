// Socket Mode: Slack's requests over a WebSocket that is opened from here, for a server that Slack cannot
// reach. It is opened again whenever it ends; no fault of it can end the program.
import { setTimeout as pause } from 'node:timers/promises';
import type { App, Receiver, SocketModeReceiver } from '@slack/bolt';
import type { AdapterState } from '#core/ports/adapter/context.ts';
import type { Log } from '#core/ports/log.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Dispatcher } from './dispatcher.ts';

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 60_000;
/** A shorter connection counts as a failed one. */
const STEADY_MS = 10_000;

export interface SocketReceiver extends Receiver {
  state(): AdapterState;
}

/** Reconnects `receiver`, whose own reconnecting must be off: it gives up, or throws outside any promise. */
export function createSocketReceiver(
  receiver: SocketModeReceiver,
  { dispatcher, log, clock }: { dispatcher: Dispatcher; log: Log; clock: Clock },
): SocketReceiver {
  const ending = new AbortController();
  let state: AdapterState = { ok: false, detail: 'Socket Mode is connecting' };
  let running: Promise<void> | undefined;
  let onDisconnected: (() => void) | undefined;

  receiver.client.on('disconnected', () => onDisconnected?.());

  /** Resolves when an established connection has ended; rejects when none could be established. */
  async function connectOnce(): Promise<void> {
    const lost = new Promise<void>((resolve) => {
      onDisconnected = resolve;
    });
    await receiver.start();
    // `stop` was called meanwhile.
    if (ending.signal.aborted) return receiver.stop();
    state = { ok: true, detail: 'connected by Socket Mode' };
    log.info({}, 'connected to Slack by Socket Mode');
    await lost;
    state = { ok: false, detail: 'Socket Mode is connecting again' };
  }

  async function reconnect(): Promise<void> {
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
      // The receiver calls no other method of its app.
      const dispatching: Pick<App, 'processEvent'> = {
        async processEvent(event) {
          const answered = await dispatcher.dispatch(app, event);
          // Slack sends again what is not acknowledged.
          if (answered.accepted) await event.ack(answered.response);
        },
      };
      receiver.init(dispatching as App);
    },
    start() {
      running ??= reconnect();
      return Promise.resolve();
    },
    async stop() {
      ending.abort();
      await receiver.stop();
      onDisconnected?.();
      await running;
    },
    state: () => state,
  };
}
