// Reads mails in threads, large ones in threads of their own: a slow mail delays no small one.
import { MAIL_LIMITS, TOO_LARGE, type MailReader } from './mail.ts';
import { createPool } from './worker-pool.ts';

export interface ReaderOptions {
  /** Threads for small mails, and as many for large ones (default 2), each started when first needed. */
  threads?: number;
  /** Processor time that one mail may take of a thread, in milliseconds; 1000 unless given. */
  timeLimitMs?: number;
  /** The module of a thread; only tests give another. */
  script?: URL;
}

/** No mail up to here takes more than 50 ms, however it is made. */
const SMALL_BYTES = 32 * 1024;
/** Mails of 20 busy connections, shared by two threads. */
const SMALL_DEPTH = 8;

/** Makes a reader with threads of its own. */
export function createReader(options: ReaderOptions = {}): MailReader {
  const { threads: size = 2, timeLimitMs = 1000 } = options;
  const script = options.script ?? new URL('./worker.ts', import.meta.url);
  const small = createPool({ size, depth: SMALL_DEPTH, timeLimitMs, script });
  const large = createPool({ size, depth: 1, timeLimitMs, script });
  return {
    async read(raw, { nullSender = false } = {}) {
      if (raw.byteLength > MAIL_LIMITS.maxBytes) return { kind: 'refused', reason: TOO_LARGE };
      return (raw.byteLength > SMALL_BYTES ? large : small).read(raw, nullSender);
    },
    async close() {
      await Promise.all([small.close(), large.close()]);
    },
  };
}

let shared: MailReader | undefined;
/** The reader of the mail server and of previews. Its threads do not keep the process running. */
export function sharedReader(): MailReader {
  shared ??= createReader();
  return shared;
}
