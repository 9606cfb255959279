// How the parts of the program, and its other processes, hear of a change after it is stored.
import type { TaskEventType } from '../contract/index.ts';
import type { Task } from '../domain/task.ts';

/**
 * What happened. Task events are published after the write is durable, never before; that a task expired or
 * woke needs no write.
 */
export type BusEvent =
  | { kind: 'task'; type: TaskEventType; task: Task }
  /** Events may have been missed: fetch again. `ownerId` null means everybody. */
  | { kind: 'reset'; ownerId: string | null }
  /** Keys, sessions or users changed: drop caches, check open sockets again. `userId` null means any. */
  | { kind: 'access'; userId: string | null }
  /** These lanes have work (work-store.ts). A process that misses it finds it a little later. */
  | { kind: 'work'; lanes: readonly string[] };

/** That a process wants to hear of an owner's tasks. */
export interface OwnerWatch {
  /**
   * Resolves once the events of other processes come, or after two seconds at most; when they come later, a
   * `reset` is delivered then. Read the store after it, and nothing is missed.
   */
  ready: Promise<void>;
  /** Twice is fine. */
  end(): void;
}

/**
 * Delivers events to every subscriber of every process, at most once: those of one owner, and those of
 * everybody, in order per publisher. Events of an owner's queue reach another process only while it watches
 * that owner.
 */
export interface EventBus {
  /** Never throws or waits: an event that cannot be sent is lost, and a `reset` follows when it can. */
  publish(event: BusEvent): void;
  /** Resolves when all that was published before has left this process, or cannot. */
  flush(): Promise<void>;
  /** Returns what ends the subscription. A subscriber must not throw. */
  subscribe(subscriber: (event: BusEvent) => void): () => void;
  /** Lets the events of this owner's queue come from other processes; null: of all owners. */
  watch(ownerId: string | null): OwnerWatch;
  /** Whether events reach the other processes right now. */
  isConnected(): boolean;
  /** Why they do not, as far as that is known. */
  fault(): Error | null;
  /** Events of other processes that have come to this one. */
  received(): number;
  close(): Promise<void>;
}
