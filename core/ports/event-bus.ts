// How the parts of the program, and its other processes, hear of a change after it is stored.
import type { TaskEventType } from '../contract/index.ts';
import type { Task } from '../domain/task.ts';

/** What happened. Task events are published after the write is durable, never before. */
export type BusEvent =
  | { kind: 'task'; type: TaskEventType; task: Task }
  /** Events may have been missed: fetch again. `ownerId` null means everybody. */
  | { kind: 'reset'; ownerId: string | null }
  /** Keys, sessions or users changed: drop caches, check open sockets again. `userId` null means any. */
  | { kind: 'access'; userId: string | null };

/** Delivers events to every subscriber of every process, in order per publisher; at most once. */
export interface EventBus {
  /** Never throws or waits: an event that cannot be sent is lost, and a `reset` follows when it can. */
  publish(event: BusEvent): void;
  /** Returns what ends the subscription. A subscriber must not throw. */
  subscribe(subscriber: (event: BusEvent) => void): () => void;
  /** Whether events reach the other processes right now. */
  isConnected(): boolean;
  /** Why they do not, as far as that is known. */
  fault(): Error | null;
  close(): Promise<void>;
}
