// Sends a message to this process's listener every second: nothing else notices a dead connection.
import type { Redis } from 'ioredis';

/** Without a beat for this long, the bus counts as disconnected. */
export const SILENCE_MS = 2500;
const BEAT_MS = 1000;
/** While disconnected, beats are sent more often, so that a Redis that is back is noticed soon. */
const RECONNECT_BEAT_MS = 100;

interface HeartbeatOptions {
  publisher: Redis;
  listener: Redis;
  /** The channel of the beats, which `listener` has subscribed to. */
  channel: string;
  /** Called for each beat that came back, before a change of connection is reported. */
  onBeat: () => void;
  onChange: (connected: boolean) => void;
}

export function startHeartbeat({ publisher, listener, channel, onBeat, onChange }: HeartbeatOptions) {
  let connected = false;
  let lastBeat = performance.now();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  for (const redis of [publisher, listener]) redis.on('close', lose);
  listener.on('message', (from) => {
    if (from === channel) receive();
  });
  send();

  function send(): void {
    const silentMs = performance.now() - lastBeat;
    if (silentMs > SILENCE_MS) lose();
    timer = setTimeout(send, connected ? BEAT_MS : RECONNECT_BEAT_MS).unref();
    // A listener sends no commands, so it does not notice by itself that the other side is gone.
    if (silentMs > 2 * SILENCE_MS && listener.status === 'ready') {
      lastBeat = performance.now();
      listener.disconnect(true);
    }
    // A failure needs no handling: the beat does not come back.
    if (publisher.status === 'ready') publisher.publish(channel, '').catch(() => undefined);
  }

  function receive(): void {
    if (closed) return;
    if (performance.now() - lastBeat > SILENCE_MS) lose();
    lastBeat = performance.now();
    onBeat();
    if (connected) return;
    connected = true;
    onChange(true);
  }

  function lose(): void {
    if (!connected || closed) return;
    connected = false;
    onChange(false);
  }

  return {
    isConnected: () => connected && performance.now() - lastBeat <= SILENCE_MS,
    stop(): void {
      closed = true;
      connected = false;
      clearTimeout(timer);
    },
  };
}
