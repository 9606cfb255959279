// Channels of a Redis Cluster that stay on the server which has their slot (SPUBLISH, SSUBSCRIBE), so that an
// event does not pass every server. The client follows a slot that moves and a server that is replaced; what
// was said meanwhile is lost. This process sends itself a beat through each channel that it listens to: one
// that comes back after a gap tells that the channel is heard again.
import type { Redis } from 'ioredis';
import { SILENCE_MS } from './heartbeat.ts';

const BEAT_MS = 1000;
/** Slots that are found again at the same time are one gap. */
const GATHER_MS = 100;

interface Heard {
  name: string;
  /** On the same server: what is in the braces decides the slot. */
  beat: string;
  /** When it came back the last time, by the monotonic clock. */
  beatAt: number;
  /** When it was subscribed to the last time. */
  enteredAt: number;
  /** The last beat that was sent when it was subscribed to after a gap; null while there is none. */
  lostAt: number | null;
}

interface Options {
  publisher: Redis;
  /** A client of a cluster with sharded subscribers. */
  listener: Redis;
  /** Of this process, for the names of its beats. */
  beats: string;
  onMessage: (text: string) => void;
  /** Something may have been missed, and is heard again. */
  onGap: () => void;
}

export function createShards({ publisher, listener, beats, onMessage, onGap }: Options) {
  const byName = new Map<string, Heard>();
  const byBeat = new Map<string, Heard>();
  let sent = 0;
  let gap: NodeJS.Timeout | undefined;

  listener.on('smessage', (channel: string, text: string) => {
    const heard = byBeat.get(channel);
    if (heard === undefined) onMessage(text);
    else returned(heard, Number(text));
  });
  // Other servers have the slots, or new connections were made.
  (listener as NodeJS.EventEmitter).on('subscribersReady', () => {
    for (const heard of byName.values()) heard.lostAt = sent;
    beat();
  });
  const beating = setInterval(beat, BEAT_MS).unref();

  function returned(heard: Heard, number: number): void {
    heard.beatAt = performance.now();
    if (heard.lostAt === null || number <= heard.lostAt) return;
    heard.lostAt = null;
    gap ??= setTimeout(() => {
      gap = undefined;
      onGap();
    }, GATHER_MS).unref();
  }

  function beat(): void {
    const now = performance.now();
    for (const heard of byName.values()) {
      if (isSilent(heard) && now - heard.enteredAt > SILENCE_MS) {
        heard.enteredAt = now;
        void enter(heard).catch(() => undefined);
      }
      if (publisher.status === 'ready') publisher.spublish(heard.beat, `${sent + 1}`).catch(() => undefined);
    }
    sent++;
  }

  const isSilent = ({ beatAt }: Heard): boolean => performance.now() - beatAt > SILENCE_MS;

  /**
   * A server that no longer has the slot says so, and the client looks for the one that has. What comes back
   * meanwhile may have been on its way before.
   */
  async function enter(heard: Heard): Promise<void> {
    const { name, beat: own } = heard;
    heard.lostAt = Number.POSITIVE_INFINITY;
    try {
      await listener.sunsubscribe(name, own).catch(() => undefined);
      if (byName.has(name)) await listener.ssubscribe(name, own);
    } finally {
      heard.lostAt = sent;
    }
  }

  return {
    async subscribe(name: string): Promise<void> {
      const now = performance.now();
      const heard = { name, beat: `${beats}:{${name}}`, beatAt: now, enteredAt: now, lostAt: null };
      byName.set(name, heard);
      byBeat.set(heard.beat, heard);
      await listener.ssubscribe(name, heard.beat);
    },

    async unsubscribe(name: string): Promise<void> {
      const heard = byName.get(name);
      if (heard === undefined) return;
      byName.delete(name);
      byBeat.delete(heard.beat);
      await listener.sunsubscribe(name, heard.beat);
    },

    /** How many channels are not heard at present. */
    silent: (): number => [...byName.values()].filter(isSilent).length,

    close(): void {
      clearInterval(beating);
      clearTimeout(gap);
    },
  };
}
