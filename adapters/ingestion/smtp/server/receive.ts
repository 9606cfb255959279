// Gathers the bytes of one message under two limits: the size of a message, and the room for all messages under way together. A
// message over either is read to its end, as the protocol asks, and not kept.
import type { SMTPServerDataStream } from 'smtp-server';

/** Memory that messages under way may take together, in bytes. */
export interface Room {
  /** Whether so many more bytes fit; they are taken then. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  used(): number;
}

export function createRoom(maxBytes: number): Room {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > maxBytes) return false;
      used += bytes;
      return true;
    },
    give(bytes) {
      used -= bytes;
    },
    used: () => used,
  };
}

/** What came after DATA. The bytes of a whole message are in the room until `release` is called. */
export type Collected =
  | { kind: 'whole'; raw: Buffer; release: () => void }
  /** More than smtp-server's `size`; it answers 552 by itself. */
  | { kind: 'oversized' }
  | { kind: 'no-room' }
  /** The sender was gone before the end. */
  | { kind: 'gone' };

/** Reads the message to its end. Never rejects. */
export function collect(stream: SMTPServerDataStream, room: Room): Promise<Collected> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    let over: 'oversized' | 'no-room' | null = null;
    const drop = (): void => {
      room.give(bytes);
      chunks = [];
      bytes = 0;
    };

    stream.on('data', (chunk: Buffer) => {
      if (over === null && stream.sizeExceeded) over = 'oversized';
      else if (over === null && !room.take(chunk.length)) over = 'no-room';
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
      const [only] = chunks;
      const raw = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, bytes);
      resolve({ kind: 'whole', raw, release: drop });
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
