// What an ingestion adapter is, and what the program lends it: a folder under adapters/ingestion whose adapter.ts default-exports
// defineAdapter({…}). It turns what comes from outside into readings; everything after that (caps, defaults, filters, doing it
// once, durability, the record of deliveries) is the program's.
import type { ErrorDetail, Form, Priority, TaskEventType } from '../contract/index.ts';
import type { KeptRequest, Mapping, Verification } from '../domain/intake.ts';
import type { Metadata, Task } from '../domain/task.ts';
import type { AdapterStore } from './adapter-store.ts';
import type { Clock } from './clock.ts';
import type { TaskPage } from './task-store.ts';

/** One task that a delivery speaks of. Texts are clipped to the limits of a task by the program. */
export interface ReadTask {
  /** What happened, as a person would have written it; not blank. */
  content: string;
  priority?: Priority;
  tags?: readonly string[];
  /** Where to click; only `http:` and `https:` are kept, as `metadata.url`. */
  url?: string;
  /** Facts beside the content; what does not fit 16 KiB is shortened by the program, longest texts first. */
  metadata?: Metadata;
  /** 1..10080. */
  expiryMinutes?: number;
  /** What repeats of the same thing have in common, 1..255 characters. */
  dedupeKey?: string;
}

/** What one delivery says. At most 500 tasks and 500 closed keys. */
export interface Reading {
  tasks: readonly ReadTask[];
  /** Dedupe keys of tasks that are over: acknowledged by the program, before the tasks are made. */
  closes: readonly string[];
  /** Event type as the sender names it, with its verb (`pull_request.opened`); for the intake's filter. */
  event?: string;
  /** Why there is nothing to do (a ping, say), for the owner; only with neither tasks nor closes. */
  ignored?: string;
  /** What went wrong while reading, for the owner, when `tasks` are only a summary made instead. */
  failed?: string;
}

/** An intake as its adapter sees it. */
export interface OpenIntake {
  id: string;
  ownerId: string;
  name: string;
  preset: string | null;
  verification: Verification;
  /**
   * The verification's secrets by name, in clear, as they are good when this is read. Never to be logged. A scheme whose form has a
   * field `previousSecret` beside `secret` proves with either: the program keeps the one before there until its grace is over.
   */
  secrets: Readonly<Record<string, string>>;
  mapping: Mapping | null;
  settings: Readonly<Record<string, unknown>>;
  paused: boolean;
}

/** What of an intake decides how its deliveries are read and proven; checked before it is kept. */
export type IntakePlan = Pick<OpenIntake, 'preset' | 'verification' | 'secrets' | 'mapping' | 'settings'>;

/** One way for a sender to prove itself, as the web app's form shows it. */
export interface SchemeInfo {
  id: string;
  title: string;
  description: string;
  /** Flat object of the scheme's options and secrets: `title`, `description`, `default`, `enum`; secrets are marked `secret: true`. */
  fields: Form;
}

/** A known sender, as the web app's gallery shows it. */
export interface PresetInfo {
  id: string;
  title: string;
  /** One sentence: what it reads. */
  description: string;
  /** The scheme that fits this sender. */
  scheme: string;
  /** What of that scheme's options this sender does its own way; nothing secret. */
  options?: Readonly<Record<string, unknown>>;
  /** What to do at the sender, a short paragraph. `ADDRESS` in it stands for the address of the intake. */
  setup: string;
  /** Event types that can be filtered by; empty when there are none. */
  events: readonly string[];
}

/** An adapter whose senders have addresses of their own. */
export interface IntakeKind {
  /** What kind of address it is, for the screen. */
  addressKind: 'url' | 'email';
  /** The whole address of a token. */
  address(token: string, settings: AdapterSettings): string;
  /** The first is the default. At least one. */
  schemes: readonly SchemeInfo[];
  /** The first is the default; may be empty. */
  presets: readonly PresetInfo[];
  /** Flat object of what else an intake of this kind may be told; null for nothing. */
  settings: Form | null;
  /** Whether the owner may give a mapping. */
  takesMapping: boolean;
  /** What is wrong with a plan, beyond its schemas: a template that does not parse, an option that is missing. Empty when nothing. */
  check(plan: IntakePlan): ErrorDetail[] | Promise<ErrorDetail[]>;
  /** Reads a kept request (again): previews and replays. Never throws for what a sender wrote. */
  read(plan: IntakePlan, request: KeptRequest): Reading | Promise<Reading>;
  /** A delivery such as this intake's sender would make, for "send a test" and for a preview before the first delivery. */
  sample(plan: IntakePlan): KeptRequest;
}

/** Settings of the whole program that addresses are made of. */
export interface AdapterSettings {
  /** Without a slash at the end. */
  publicUrl: string;
  smtpDomain: string;
}

/** One delivery to one intake, proven and read. */
export interface Arrival {
  intake: OpenIntake;
  reading: Reading;
  /** What repeats of this very delivery have in common (the sender's id of it); null when nothing tells them. 1..255 characters. */
  replayKey: string | null;
  request: KeptRequest;
  /** Facts for the record of deliveries and, as `metadata.<name>`, not for the task. */
  notes?: Readonly<Record<string, string>>;
  requestId: string;
}

/** What the program did with an arrival. All but `busy` are durable. */
export type Taken =
  /** Ids are those that new tasks will have. */
  | { kind: 'accepted'; deliveryId: string; taskIds: readonly string[] }
  | { kind: 'duplicate'; deliveryId: string; taskIds: readonly string[] }
  | { kind: 'ignored'; deliveryId: string; reason: string };

/** What adapters hand deliveries to. */
export interface Desk {
  /** The intake that a token is good for right now, paused ones included, or null. Throws SERVICE_UNAVAILABLE. */
  find(token: string): Promise<OpenIntake | null>;
  /** Throws SERVICE_UNAVAILABLE with Retry-After while the intake is paused, and notes the refusal. Before anything is read. */
  checkPaused(intake: OpenIntake): void;
  /**
   * Counts a delivery against the intake's caps (600 a minute, and its own hourly cap). Once it is proven, where the intake asks for
   * proof, so that others spend nothing of what its sender may deliver; before it is read. Throws SERVICE_UNAVAILABLE with Retry-After
   * when one is full, and notes the refusal; a paused intake too.
   */
  admit(intake: OpenIntake, requestId: string): Promise<void>;
  /** Makes a delivery durable. Answer the sender 2xx only when it resolves. Throws SERVICE_UNAVAILABLE; the sender should retry. */
  take(arrival: Arrival): Promise<Taken>;
  /**
   * Notes a delivery that was not taken in, with a sentence for the owner. Never throws and never waits. False when there were so
   * many lately that this one is not noted, and should not be logged either.
   */
  refuse(intake: OpenIntake, reason: string, about?: RefusalFacts): boolean;
}

/** What is known of a delivery that was not taken in. */
export interface RefusalFacts {
  request?: KeptRequest;
  notes?: Readonly<Record<string, string>>;
  event?: string;
  /** The client's address, when the delivery is not proven: these are counted apart, and each address by itself. */
  unprovenFrom?: string;
}

/** A request to a route of an adapter. */
export interface HttpRequest {
  method: string;
  /** Below the server's root, without the query. */
  path: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Lower-case names; repeated ones joined with ", ". */
  headers: Readonly<Record<string, string>>;
  /** As it came, whatever its type and encoding. */
  body: Buffer;
  /** Of the client. */
  address: string;
  requestId: string;
}

export interface HttpAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  /** An object goes out as JSON; a text as `text/plain` unless a header says otherwise. */
  body?: object | string;
}

/** What adapters answer HTTP with. What a handler throws is answered like any other fault of the API. */
export interface HttpScope {
  /** `path` from the server's root, `:name` for parameters. `bodyLimit` in bytes; a larger body is 413 before the handler. */
  on(
    route: { methods: readonly string[]; path: string; bodyLimit: number },
    handler: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>,
  ): void;
}

/** Tasks of one owner, from a sender that has no intake: a person in a chat, a port of this machine. */
export interface Handover {
  ownerId: string;
  /** 1..500. Dedupe keys are the adapter's own. */
  tasks: readonly ReadTask[];
  /** What repeats of this very message have in common, or null. 1..255 characters. */
  replayKey: string | null;
  requestId: string;
}

/** What became of a handover. Durable. In the queue or stored: ids are those that new tasks have or will have. */
export interface HandedOver {
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
export interface TaskNews {
  type: TaskEventType;
  task: Task;
}

/** Structured log of the program. */
export interface AdapterLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
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
  log: AdapterLog;
  /** On the server that this process has anyway. */
  http: HttpScope;
  desk: Desk;
  /** Id of the user with this e-mail address; null for nobody and for somebody whose account is disabled. */
  findOwner(email: string): Promise<string | null>;
  /**
   * Makes tasks durable for an owner. Answer the sender only when it resolves. Throws SERVICE_UNAVAILABLE, and FORBIDDEN when the
   * owner's account is disabled.
   */
  submit(handover: Handover): Promise<HandedOver>;
  tasks: OwnerTasks;
  /** Hears of changes of tasks, at most once each. Returns what ends it. The listener must not throw. */
  watch(listener: (news: TaskNews) => void): () => void;
  /** Seals what is secret before it is remembered, and opens it again (null when it cannot be). */
  vault: {
    seal(text: string, purpose: string): string;
    open(sealed: string, purpose: string): string | null;
  };
  /** What it may remember; keys are its own. */
  store: AdapterStore;
}

export interface RunningAdapter {
  /** Lets what is under way finish, then lets go of everything. Twice is fine. */
  stop(): Promise<void>;
  /** Shown in `/ready`; null when there is nothing to say. */
  state?(): AdapterState | null;
}

/** Environment variables that an adapter reads, by the field of its config: `{ port: 'SMTP_PORT' }`. */
export type ConfigNames = Readonly<Record<string, string>>;

/** An ingestion adapter. */
export interface IngestionAdapter<C = unknown> {
  /** Lower-case word; also the queue's and the metrics' name for it. */
  id: string;
  title: string;
  /** Roles of which a process must have one to run it. */
  roles: readonly ('api' | 'smtp' | 'slack')[];
  /** `source` of its tasks. */
  source: string;
  /**
   * Flat object; values come from the variables that `environment` names. A field without default is null when it is not given.
   * A field's `description` is the sentence that a wrong value is refused with: "must be a port".
   */
  configSchema: Form;
  environment: ConfigNames;
  /** Fields of the config that are secret: read from NAME_FILE too, never logged. */
  secretFields: readonly string[];
  intakes?: IntakeKind;
  /** Whether its config switches it on; on when left out. One that is off is not started and offers no intakes. */
  isOn?(config: C): boolean;
  start(context: AdapterContext<C>): RunningAdapter | Promise<RunningAdapter>;
}

/** Keeps the types of an adapter. */
export function defineAdapter<C>(adapter: IngestionAdapter<C>): IngestionAdapter<C> {
  return adapter;
}
