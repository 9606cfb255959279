// Moves the work that this process has stored to its lanes at once, and tells all processes which lanes have
// some. What is cut off in between, or not told, is found by those who look for it (runner.ts).
import type { EventBus } from '#core/ports/event-bus.ts';
import type { Storage } from '#core/ports/storage.ts';

interface Parts {
  storage: Pick<Storage, 'onWork' | 'work'>;
  bus: EventBus;
  onError: (error: unknown) => void;
}

export interface WorkRelay {
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Records of which the work is moved at once. */
const AT_ONCE = 200;

export function startWorkRelay({ storage, bus, onError }: Parts): WorkRelay {
  let isWanted = false;
  let running: Promise<void> | null = null;
  let stopped = false;

  async function relay(): Promise<void> {
    while (isWanted && !stopped) {
      isWanted = false;
      const { lanes, more } = await storage.work.moveOwn(AT_ONCE);
      if (lanes.length > 0) bus.publish({ kind: 'work', lanes });
      isWanted ||= more;
    }
  }

  const end = storage.onWork(() => {
    isWanted = true;
    running ??= relay()
      .catch(onError)
      .finally(() => {
        running = null;
      });
  });

  return {
    async stop() {
      end();
      stopped = true;
      await running;
    },
  };
}
