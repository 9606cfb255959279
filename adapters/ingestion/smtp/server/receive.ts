// Receives a message within its size limit and the memory budget of all messages in flight. A message over
// either is read to its end, as SMTP requires, and dropped.
import type { SMTPServerDataStream } from 'smtp-server';

/** Memory for messages in flight, in bytes. */
export interface MemoryBudget {
  /** Reserves so many more bytes; false when they do not fit. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
  used(): number;
}

export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let used = 0;
  return {
    reserve(bytes) {
      if (used + bytes > maxBytes) return false;
      used += bytes;
      return true;
    },
    release(bytes) {
      used -= bytes;
    },
    used: () => used,
  };
}

/** The data of a message. The bytes of a whole one stay reserved until `release` is called. */
export type Received =
  | { kind: 'whole'; raw: Buffer; release: () => void }
  /** Over smtp-server's `size`; it answers 552 by itself. */
  | { kind: 'oversized' }
  | { kind: 'no-memory' }
  /** The client was gone before the end. */
  | { kind: 'gone' };

/** Reads the message to its end. Never rejects. */
export function receive(stream: SMTPServerDataStream, budget: MemoryBudget): Promise<Received> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    let over: 'oversized' | 'no-memory' | null = null;
    const drop = (): void => {
      budget.release(bytes);
      chunks = [];
      bytes = 0;
    };

    stream.on('data', (chunk: Buffer) => {
      if (over === null && stream.sizeExceeded) over = 'oversized';
      else if (over === null && !budget.reserve(chunk.length)) over = 'no-memory';
      else if (over === null) {
        bytes += chunk.length;
        chunks.push(chunk);
      }
      if (over !== null) drop();
    });
    stream.once('end', () => {
      if (stream.sizeExceeded) over = 'oversized';
      if (over !== null) {
        drop();
        return resolve({ kind: over });
      }
      resolve({ kind: 'whole', raw: Buffer.concat(chunks, bytes), release: drop });
    });
    // Only the first of these counts: a stream that ended closes too.
    stream.once('error', () => stream.destroy());
    stream.once('close', () => {
      if (stream.readableEnded) return;
      drop();
      resolve({ kind: 'gone' });
    });
  });
}
