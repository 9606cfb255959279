// The channels of owners' events, by hash of the owner: a process subscribes only to those that somebody
// watches there. A channel is left half a minute after its last watch ended, since clients come back.
import type { OwnerWatch } from '#core/ports/event-bus.ts';
import { withTimeLimit } from '#core/time-limit.ts';
import { hashOf } from './hash.ts';

/** All processes of an installation have the same number. */
const CHANNELS = 64;
const LEAVE_AFTER_MS = 30_000;
/** How long a watch waits for Redis. */
const READY_MS = 2000;

interface Channel {
  watches: number;
  ready: Promise<void>;
  leaving: NodeJS.Timeout | undefined;
}

interface Options {
  listener: { subscribe(name: string): Promise<unknown>; unsubscribe(name: string): Promise<unknown> };
  prefix: string;
  /** The channel that every process hears. */
  common: string;
  /** Called when a channel is heard only after a watch of it went on without it. */
  onLate: () => void;
  leaveAfterMs?: number;
}

export function createLiveChannels(options: Options) {
  const { listener, prefix, common, onLate, leaveAfterMs = LEAVE_AFTER_MS } = options;
  const channels = new Map<string, Channel>();
  const nameOf = (number: number) => `${prefix}:live:${number}`;
  const channelOf = (ownerId: string) => nameOf(hashOf(ownerId) % CHANNELS);
  const everyName = Array.from({ length: CHANNELS }, (_, number) => nameOf(number));

  function open(name: string): Channel {
    let isLate = false;
    const subscribed = listener.subscribe(name).then(
      () => isLate && onLate(),
      // Its connection was closed, by us or by Redis; the bus tells all to fetch again once there is another.
      () => undefined,
    );
    const ready = withTimeLimit(READY_MS, subscribed, () => (isLate = true)).then(() => undefined);
    return { watches: 0, ready, leaving: undefined };
  }

  function enter(name: string): Channel {
    let channel = channels.get(name);
    if (channel === undefined) channels.set(name, (channel = open(name)));
    channel.watches++;
    clearTimeout(channel.leaving);
    return channel;
  }

  function leave(name: string): void {
    const channel = channels.get(name);
    if (channel === undefined || --channel.watches > 0) return;
    channel.leaving = setTimeout(() => {
      channels.delete(name);
      listener.unsubscribe(name).catch(() => undefined);
    }, leaveAfterMs).unref();
  }

  return {
    /** The channel of an owner's events; null: of everybody's. */
    of: (ownerId: string | null): string => (ownerId === null ? common : channelOf(ownerId)),

    /** Null: of all owners. */
    watch(ownerId: string | null): OwnerWatch {
      const names = ownerId === null ? everyName : [channelOf(ownerId)];
      const entered = names.map(enter);
      let ended = false;
      return {
        ready: Promise.all(entered.map(({ ready }) => ready)).then(() => undefined),
        end() {
          if (!ended) names.forEach(leave);
          ended = true;
        },
      };
    },

    close(): void {
      for (const { leaving } of channels.values()) clearTimeout(leaving);
    },
  };
}
