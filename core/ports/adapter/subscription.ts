// Subscriptions to queues, for adapters whose clients show them. A client is let in by an API key.
import type { FeedItem, FeedStart } from '#core/domain/feed.ts';
import type { Task } from '#core/domain/task.ts';

/** A client that was let in. */
export interface Reader {
  ownerId: string;
  /** Whether its key may change tasks. */
  mayWrite: boolean;
  /**
   * Subscribes to its owner's queue. Ends when the signal is aborted, the key is revoked, too much waits for
   * the client, or the server stops. Throws RATE_LIMITED when its owner has too many.
   */
  subscribe(options: SubscribeOptions): Subscription;
  /** What is due later, as the tasks that it will make; their ids are none of a task. The next one first. */
  scheduled(): Promise<readonly Task[]>;
  /** The owner's intakes, by name. */
  intakes(): Promise<readonly { id: string; name: string }[]>;
}

export interface SubscribeOptions {
  start: FeedStart;
  /** Whether to go on with what comes; otherwise it ends after what is there. */
  follow: boolean;
  signal: AbortSignal;
}

export interface Subscription {
  /**
   * The next item: each once, none left out for as long as the client comes back with the cursor of the last
   * one; 'idle' after `waitMs` without one; null at the end. One call at a time. Throws SERVICE_UNAVAILABLE.
   */
  next(waitMs: number): Promise<FeedItem | 'idle' | null>;
  /** Twice is fine. */
  close(): void;
}

/** Lets readers in. */
export interface Readers {
  /**
   * By an API key, as a request of it. Throws UNAUTHORIZED, INSUFFICIENT_SCOPE, RATE_LIMITED and
   * SERVICE_UNAVAILABLE.
   */
  authenticate(apiKey: string, access: 'read' | 'write'): Promise<Reader>;
}
