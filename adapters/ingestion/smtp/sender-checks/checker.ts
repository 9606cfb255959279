// Checks senders in a thread: started with the first message that needs it, replaced when it hangs or dies,
// never waited for beyond the limit. Unknown results are `temperror`, so that a retry may find them.
import { Worker } from 'node:worker_threads';
import { UNKNOWN, type Verdicts, type VerdictSource } from './verdicts.ts';
import type { CheckRequest, WorkerSettings } from './worker.ts';

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
  const waiting = new Map<number, (verdicts: Verdicts) => void>();
  let worker: Worker | null = null;
  let closed = false;
  let next = 0;

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    started.unref();
    started.on('message', ({ id, verdicts }: { id: number; verdicts: Verdicts }) =>
      waiting.get(id)?.(verdicts),
    );
    started.on('error', () => giveUp(started));
    started.on('exit', () => giveUp(started));
    return started;
  }

  function giveUp(failed: Worker): void {
    if (failed !== worker) return;
    worker = null;
    for (const answer of waiting.values()) answer(UNKNOWN);
    void failed.terminate();
  }

  return {
    check: (evidence) =>
      new Promise((resolve) => {
        if (closed || waiting.size >= MAX_WAITING) return resolve(UNKNOWN);
        worker ??= start();
        const asked = worker;
        const id = next++;
        const timer = setTimeout(() => giveUp(asked), timeLimitMs + GRACE_MS);
        waiting.set(id, (verdicts) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(verdicts);
        });
        // A copy of its own: the bytes may be a small part of a large buffer, all of which would be copied.
        const raw = new Uint8Array(evidence.raw);
        const request: CheckRequest = { id, evidence: { ...evidence, raw } };
        asked.postMessage(request, [raw.buffer]);
      }),
    async close() {
      closed = true;
      const last = worker;
      if (last === null) return;
      giveUp(last);
      await last.terminate();
    },
  };
}
