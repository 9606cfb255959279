// The context that the program gives a running ingestion adapter.
import type { Priority, TaskEventType } from '#core/contract/index.ts';
import type { ParsedTask } from '#core/domain/delivery.ts';
import type { Task } from '#core/domain/task.ts';
import type { AdapterStore } from '#core/ports/adapter-store.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { Meter } from '#core/ports/meter.ts';
import type { Log } from '#core/ports/log.ts';
import type { TaskPage, TaskRange } from '#core/ports/task-store.ts';
import type { HttpScope } from './http.ts';
import type { AdapterSettings, IntakeService } from './intake.ts';
import type { Readers } from './subscription.ts';

/** Tasks of one owner, from a sender that has no intake: a person in a chat, a port of this machine. */
export interface AdapterSubmission {
  ownerId: string;
  /** At most 500. Dedupe keys are the adapter's own. */
  tasks: readonly ParsedTask[];
  /** Dedupe keys of tasks that are over: they are acknowledged before the tasks are made. At most 500. */
  resolves?: readonly string[];
  /** The same for repeats of this message, 1..255 characters; null when they cannot be told. */
  replayKey: string | null;
  requestId: string;
}

/**
 * The outcome of a submission. It is durable: queued or stored. Ids are those that new tasks have or will
 * have.
 */
export interface AdapterSubmissionResult {
  kind: 'accepted' | 'duplicate';
  taskIds: readonly string[];
}

/**
 * Actions in an owner's queue. Each throws NOT_FOUND when there is no such task, FORBIDDEN when the owner's
 * account is disabled, SERVICE_UNAVAILABLE.
 */
export interface OwnerTasks {
  get(ownerId: string, id: string): Promise<Task>;
  /** A page of the live queue, pinned first, then newest. `limit` 1..1000. */
  list(ownerId: string, page: { priority?: Priority; limit: number; offset: number }): Promise<TaskPage>;
  acknowledge(ownerId: string, id: string): Promise<Task>;
  restore(ownerId: string, id: string): Promise<Task>;
  pin(ownerId: string, id: string, pinned: boolean): Promise<Task>;
  /** `until` in milliseconds, at most 7 days ahead; null wakes it. */
  snooze(ownerId: string, id: string, until: number | null): Promise<Task>;
  /** The live queue in the order of ids; see `listById` of the port TaskStore. */
  listById(range: Omit<TaskRange, 'now'>): Promise<Task[]>;
  /** Acknowledges those of up to 500 that are live. */
  acknowledgeMany(ownerId: string, ids: readonly string[]): Promise<void>;
}

/** A change of a task; published to every process after it was stored. */
export interface TaskEvent {
  type: TaskEventType;
  task: Task;
}

/** The state of an adapter, for `/ready` and the system page. */
export interface AdapterState {
  ok: boolean;
  detail: string;
  /** Of one that is not `ok`: it takes messages in all the same, so that its process stays ready. */
  takesIn?: boolean;
}

/** Dependencies of a running adapter. */
export interface AdapterContext<C = unknown> {
  /** Checked against the adapter's `configSchema`. */
  config: C;
  settings: AdapterSettings;
  clock: Clock;
  log: Log;
  meter: Meter;
  /** On the program's own server. */
  http: HttpScope;
  intakeService: IntakeService;
  /** Id of the user who has proven this e-mail address; null for nobody and for a disabled account. */
  findOwner(email: string): Promise<string | null>;
  /**
   * Makes tasks durable for an owner. Answer the sender only once it resolves. Throws SERVICE_UNAVAILABLE,
   * and FORBIDDEN when the owner's account is disabled.
   */
  submit(submission: AdapterSubmission): Promise<AdapterSubmissionResult>;
  tasks: OwnerTasks;
  /**
   * Subscribes to changes of tasks, at most once each; the returned function ends it. The listener must not
   * throw.
   */
  watch(listener: (event: TaskEvent) => void): () => void;
  /** Lets in clients that show queues. */
  readers: Readers;
  /** For secrets in the store. A text that was encrypted otherwise decrypts to null. */
  encryption: {
    encrypt(text: string, purpose: string): string;
    decrypt(encrypted: string, purpose: string): string | null;
  };
  /** Records of the adapter. */
  store: AdapterStore;
}
