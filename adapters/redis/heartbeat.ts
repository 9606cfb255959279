// Sends a message to this process's listener every second: nothing else notices a dead connection. The client
// of a cluster hears through one connection to any of the servers, and replaces it without a word: what was
// said meanwhile is lost, so it counts as disconnected until the new one has subscribed.
import type { Redis } from 'ioredis';
import { hearingConnection } from './connection.ts';

/** Without a beat for this long, the bus counts as disconnected. */
export const SILENCE_MS = 2500;
const BEAT_MS = 1000;
/** While disconnected, beats are sent more often, so that a Redis that is back is noticed soon. */
const RECONNECT_BEAT_MS = 100;

interface HeartbeatOptions {
  publisher: Redis;
  listener: Redis;
  /** The channel of the beats. */
  channel: string;
  /** Further channels that `listener` subscribes to together with that one. */
  others: readonly string[];
  /** Called for each beat that came back, before a change of connection is reported. */
  onBeat: () => void;
  onChange: (connected: boolean) => void;
}

export function startHeartbeat(options: HeartbeatOptions) {
  const { publisher, listener, channel, others, onBeat, onChange } = options;
  /** What has subscribed last, or is about to; undefined before the first. */
  let hearing: Redis | null | undefined;
  let hasSubscribed = false;
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
    follow();
    timer = setTimeout(send, connected ? BEAT_MS : RECONNECT_BEAT_MS).unref();
    // A listener sends no commands, so it does not notice by itself that the other side is gone.
    if (silentMs > 2 * SILENCE_MS && listener.status === 'ready') {
      lastBeat = performance.now();
      listener.disconnect(true);
    }
    beat();
  }

  /** A failure needs no handling: the beat does not come back. */
  function beat(): void {
    if (publisher.status === 'ready') publisher.publish(channel, '').catch(() => undefined);
  }

  /** A beat counts again once the connection that is there now has subscribed. */
  function follow(): void {
    const now = hearingConnection(listener);
    if (closed || now === hearing) return;
    hearing = now;
    hasSubscribed = false;
    lose();
    now?.once('end', follow);
    void subscribe(now);
  }

  async function subscribe(through: Redis | null): Promise<void> {
    try {
      await listener.subscribe(channel, ...others);
    } catch {
      // Told by the connection's own error: it has ended, and another follows, or beats stay away.
      return;
    }
    if (hearing !== through) return;
    hasSubscribed = true;
    beat();
  }

  function receive(): void {
    if (closed || !hasSubscribed) return;
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
    isConnected: () =>
      connected && hearingConnection(listener) === hearing && performance.now() - lastBeat <= SILENCE_MS,
    stop(): void {
      closed = true;
      connected = false;
      clearTimeout(timer);
    },
  };
}
