// What an outbox needs from around it, and what it tells.
import type { Task } from '#core/contract/index.ts';
import type { Entry, Operation } from './entry.ts';
import type { RetryClock } from './retry.ts';
import type { EntryStore } from './store.ts';

/** Why nothing is sent at the moment. `message` is the server's, or ''. */
export interface Blocked {
  reason: 'offline' | 'unreachable' | 'busy';
  message: string;
}

export interface OutboxSnapshot {
  /** What was kept earlier has been read. */
  ready: boolean;
  /** What is done now outlives this page. */
  durable: boolean;
  /** In the order in which they were done; those that were refused or are too old included. */
  entries: readonly Entry[];
  /** How many of them, the last ones, are not kept yet. */
  unsaved: number;
  blocked: Blocked | null;
}

/** What became of an entry, for whoever still waits to hear it. */
export type Outcome =
  | { kind: 'answered'; tasks: readonly Task[] }
  | { kind: 'refused'; error: unknown }
  /** It is sent later. `kept`: even if this page is closed before. */
  | { kind: 'waits'; kept: boolean };

/** What one tab tells the others. */
export type OutboxMessage =
  | { type: 'changed'; owner: string }
  | { type: 'answered'; entry: Entry; tasks: readonly Task[] };

export interface OutboxOptions {
  /** The browser's storage; null where there is none. */
  disk: EntryStore | null;
  /** Does it at the server. Resolves with the tasks as they are now. Doing it again after a lost answer changes nothing more. */
  perform: (entry: Entry) => Promise<readonly Task[]>;
  /** What to say of a refusal that has no text. */
  failureText: (operation: Operation) => Promise<string>;
  /** Whether it is worth a try. */
  isReachable: () => boolean;
  /** Whether there is any network; what is told, when a try fails. */
  hasNetwork: () => boolean;
  /** Runs `work` while no other tab does the same. */
  withLock: (work: () => Promise<void>) => Promise<void>;
  broadcast: (message: OutboxMessage) => void;
  clock: RetryClock;
  random?: () => number;
}

export interface OutboxListener {
  answered?: (entry: Entry, tasks: readonly Task[]) => void;
  /** All that waited has been sent: this many. */
  caughtUp?: (sent: number) => void;
}
