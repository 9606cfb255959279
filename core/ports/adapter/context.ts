// What the program gives a running ingestion adapter.
import type { Priority, TaskEventType } from '#core/contract/index.ts';
import type { ParsedTask } from '#core/domain/delivery.ts';
import type { Task } from '#core/domain/task.ts';
import type { AdapterStore } from '#core/ports/adapter-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Log } from '#core/ports/log.ts';
import type { TaskPage } from '#core/ports/task-store.ts';
import type { HttpScope } from './http.ts';
import type { AdapterSettings, IntakeService } from './intake.ts';

/** Tasks of one owner, from a sender that has no intake: a person in a chat, a port of this machine. */
export interface AdapterSubmission {
  ownerId: string;
  /** 1..500. Dedupe keys are the adapter's own. */
  tasks: readonly ParsedTask[];
  /** What repeats of this very message have in common, or null. 1..255 characters. */
  replayKey: string | null;
  requestId: string;
}

/** What became of a submission. Durable. In the queue or stored: ids are those that new tasks have or will have. */
export interface AdapterSubmissionResult {
  kind: 'accepted' | 'duplicate';
  taskIds: readonly string[];
}

/**
 * What an adapter may do in an owner's queue. Each throws NOT_FOUND when there is no such task, FORBIDDEN when the owner's account is
 * disabled, SERVICE_UNAVAILABLE.
 */
export interface OwnerTasks {
  get(ownerId: string, id: string): Promise<Task>;
  /** A page of the live queue, pinned first, then newest. `limit` 1..1000. */
  list(ownerId: string, page: { priority?: Priority; limit: number; offset: number }): Promise<TaskPage>;
  acknowledge(ownerId: string, id: string): Promise<Task>;
  restore(ownerId: string, id: string): Promise<Task>;
  pin(ownerId: string, id: string, pinned: boolean): Promise<Task>;
}

/** A change of a task, as every process hears of it after it was stored. */
export interface TaskEvent {
  type: TaskEventType;
  task: Task;
}

/** How an adapter stands, for `/ready` and the system page. */
export interface AdapterState {
  ok: boolean;
  detail: string;
}

/** What the program lends a running adapter. */
export interface AdapterContext<C = unknown> {
  /** Checked against the adapter's `configSchema`. */
  config: C;
  settings: AdapterSettings;
  clock: Clock;
  log: Log;
  /** On the server that this process has anyway. */
  http: HttpScope;
  intakeService: IntakeService;
  /** Id of the user with this e-mail address; null for nobody and for somebody whose account is disabled. */
  findOwner(email: string): Promise<string | null>;
  /**
   * Makes tasks durable for an owner. Answer the sender only when it resolves. Throws SERVICE_UNAVAILABLE, and FORBIDDEN when the
   * owner's account is disabled.
   */
  submit(submission: AdapterSubmission): Promise<AdapterSubmissionResult>;
  tasks: OwnerTasks;
  /** Hears of changes of tasks, at most once each. Returns what ends it. The listener must not throw. */
  watch(listener: (news: TaskEvent) => void): () => void;
  /** Seals what is secret before it is remembered, and opens it again (null when it cannot be). */
  encryption: {
    encrypt(text: string, purpose: string): string;
    decrypt(sealed: string, purpose: string): string | null;
  };
  /** What it may remember; keys are its own. */
  store: AdapterStore;
}
