// What a page shows of an outbox.
import type { OutboxSnapshot } from './types.ts';

/** Whether both show the same. */
export function isSame(one: OutboxSnapshot, other: OutboxSnapshot): boolean {
  return (
    one.ready === other.ready &&
    one.durable === other.durable &&
    one.unsaved === other.unsaved &&
    one.blocked === other.blocked &&
    one.entries.length === other.entries.length &&
    one.entries.every((entry, at) => entry === other.entries[at])
  );
}
