// The options, the state and the events of an outbox.
import type { Task } from '#core/contract/index.ts';
import type { Entry, Operation } from './entry.ts';
import type { Timers } from '../timers.ts';
import type { EntryStore } from './store.ts';

/** Why nothing is sent at the moment. `message` is the server's, or ''. */
export interface Blocked {
  reason: 'offline' | 'unreachable' | 'busy';
  message: string;
}

export interface OutboxSnapshot {
  /** The stored entries have been read. */
  ready: boolean;
  /** New entries outlive this page. */
  durable: boolean;
  /** In the order in which they were added, with those that were refused or are too old. */
  entries: readonly Entry[];
  /** How many of them, the last ones, are not stored yet. */
  unsaved: number;
  blocked: Blocked | null;
}

/** What became of an entry. */
export type Outcome =
  | { kind: 'answered'; tasks: readonly Task[] }
  | { kind: 'refused'; error: unknown }
  /** It is sent later. `stored`: even if this page is closed before. */
  | { kind: 'waits'; stored: boolean };

/** A message between tabs. */
export type OutboxMessage =
  | { type: 'changed'; owner: string }
  | { type: 'answered'; entry: Entry; tasks: readonly Task[] };

export interface OutboxOptions {
  /** The browser's storage; null where there is none. */
  disk: EntryStore | null;
  /** Resolves with the tasks as they are now. Sending again after a lost answer changes nothing more. */
  perform: (entry: Entry) => Promise<readonly Task[]>;
  /** For refusals without a text. */
  failureText: (operation: Operation) => Promise<string>;
  /** Whether sending is worth a try. */
  isReachable: () => boolean;
  /** Whether there is any network: the reason given for a failure. */
  hasNetwork: () => boolean;
  /** Runs `work` while no other tab runs it. */
  withLock: (work: () => Promise<void>) => Promise<void>;
  broadcast: (message: OutboxMessage) => void;
  clock: Timers;
  random?: () => number;
}

export interface OutboxListener {
  answered?: (entry: Entry, tasks: readonly Task[]) => void;
  /** All entries that had to wait have been sent: this many. Told to the first one that asks, if late. */
  caughtUp?: (sent: number) => void;
}
