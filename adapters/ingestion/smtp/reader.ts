// Reads mails without ever holding up the thread that serves: each is read in another. Large ones have threads of their own, so
// that nobody's small mail waits behind one that was made to take long.
import { MAIL_LIMITS, type MailReader, type ReadingOptions } from './message.ts';
import { createPool } from './pool.ts';
import { TOO_LARGE } from './read.ts';
import { toReading } from './to-reading.ts';

export interface ReaderOptions extends ReadingOptions {
  /** Threads for small mails, and as many for large ones; 1 unless given. They are started when they are first needed. */
  threads?: number;
  /** Processor time that one mail may take of a thread, in milliseconds; 1000 unless given. */
  timeLimitMs?: number;
  /** The module of a thread; only tests give another. */
  script?: URL;
}

/** No mail up to here takes more than a few milliseconds, however it is made. */
const SMALL_BYTES = 32 * 1024;

/** A reader for as long as the program runs. */
export function createReader(options: ReaderOptions = {}): MailReader {
  const { threads = 1, timeLimitMs = 1000 } = options;
  const script = options.script ?? new URL('./parse-worker.ts', import.meta.url);
  const small = createPool({ size: threads, timeLimitMs, script });
  const large = createPool({ size: threads, timeLimitMs, script });
  return {
    async read(raw, { nullSender = false } = {}) {
      if (raw.byteLength > MAIL_LIMITS.maxBytes) return { kind: 'refused', reason: TOO_LARGE };
      const pool = raw.byteLength > SMALL_BYTES ? large : small;
      const read = await pool.read(raw, nullSender);
      return read.kind === 'mail' ? { ...read, parsed: toReading(read.mail, options) } : read;
    },
    async close() {
      await Promise.all([small.close(), large.close()]);
    },
  };
}
