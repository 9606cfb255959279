// Checks senders in a thread: started with the first message that needs it, replaced when it hangs or dies,
// never waited for beyond the limit. Unknown results are `temperror`, so that a retry may find them.
import { withTimeLimit } from '#core/time-limit.ts';
import { createWorkerThread } from '#core/worker-thread.ts';
import { UNKNOWN, type Evidence, type Verdicts, type VerdictSource } from './verdicts.ts';
import type { WorkerSettings } from './worker.ts';

/** Time beyond its own limit after which the thread counts as hung. */
const GRACE_MS = 5000;
/** Further messages are answered at once: they would wait longer than a sender does. */
const MAX_WAITING = 200;

export interface VerdictOptions {
  /** For one message; 10 s. */
  timeLimitMs?: number;
  /** Addresses of DNS servers (`127.0.0.1:5353`); the system's unless given. */
  dnsServers?: readonly string[];
}

export function createVerdicts(options: VerdictOptions = {}): VerdictSource {
  const timeLimitMs = options.timeLimitMs ?? 10_000;
  const workerData: WorkerSettings = { timeLimitMs, dnsServers: options.dnsServers ?? [] };
  const script = new URL('./worker.ts', import.meta.url);
  const createThread = () =>
    createWorkerThread<Evidence, Verdicts>({ script, name: 'sender-checks', maxMemoryMb: 256, workerData });
  let thread = createThread();
  let waiting = 0;

  /** Other questions to a hung thread end with it. */
  function replace(hung: typeof thread): Verdicts {
    if (hung === thread) thread = createThread();
    void hung.close();
    return UNKNOWN;
  }

  return {
    async check(evidence) {
      if (waiting >= MAX_WAITING) return UNKNOWN;
      waiting++;
      const asked = thread;
      try {
        // A copy of its own: the bytes may be a small part of a large buffer, all of which would be copied.
        const answer = asked.ask({ ...evidence, raw: new Uint8Array(evidence.raw) });
        return await withTimeLimit(timeLimitMs + GRACE_MS, answer, () => replace(asked));
      } catch {
        return UNKNOWN;
      } finally {
        waiting--;
      }
    },
    close: () => thread.close(),
  };
}
