// Steps that are repeated, and times to wait that can end sooner.

/** A time to wait that `ring` ends: the one under way, else the next. */
export interface Alarm {
  wait(ms: number): Promise<void>;
  ring(): void;
  isRinging(): boolean;
}

export function createAlarm(): Alarm {
  let isRinging = false;
  let end = (): void => {};
  return {
    async wait(ms) {
      if (!isRinging)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      isRinging = false;
      end = () => {};
    },
    ring() {
      isRinging = true;
      end();
    },
    isRinging: () => isRinging,
  };
}

export interface Repeated {
  /** Does the step now, or once more when it is under way. */
  now(): void;
  /** Resolves when the step under way has ended. */
  stop(): Promise<void>;
}

/** From one step to one that was asked for, at least. */
const GAP_MS = 5;

/** Repeats a step, with a pause after each. */
export function repeat(
  step: () => Promise<void>,
  intervalMs: number,
  onError: (error: unknown) => void,
): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let isWanted = false;
  let running: Promise<void> | null = null;

  async function once(): Promise<void> {
    isWanted = false;
    await step().catch(onError);
    running = null;
    if (!stopped) schedule(isWanted ? GAP_MS : intervalMs);
  }
  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = once();
    }, ms);
  }
  schedule(intervalMs);
  return {
    now() {
      if (stopped || isWanted) return;
      isWanted = true;
      if (running === null) schedule(0);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
