// What the contract suite needs of an adapter's other side.
import type { Adapter } from '#api/adapter-host/public.ts';

/** The server that the adapter runs in, as a sender sees it. */
export interface ServerAddress {
  /** Without a slash at the end. */
  url: string;
  /** Of the intake that the suite made; null for an adapter without intakes. */
  intake: { address: string; token: string } | null;
}

/** A sender: a broker, a mailbox, a server, a program. Each test has one of its own. */
export interface Sender {
  /** The variables that switch the adapter on and lead it to this sender. */
  env: Readonly<Record<string, string>>;
  /**
   * Sends message `number`, from 1. The same number again is the same message again. Rejects when the adapter
   * does not take it; the suite then sends it again, as real senders do.
   */
  send(number: number, server: ServerAddress): Promise<void>;
  /** A part of what the task of message `number` says, in no other message. */
  content(number: number): string;
  /** For an adapter that `connects`: makes the sender unreachable, and reachable again at its address. */
  outage?: { begin(): Promise<void>; end(): Promise<void> };
  /** Sends what is no message: broken bytes, a wrong form. May reject. */
  sendNonsense(server: ServerAddress): Promise<void>;
  /** For senders that prove who they are (`proves`): sends message `number` without proof. May reject. */
  sendForged?(number: number, server: ServerAddress): Promise<void>;
  close(): Promise<void>;
}

export interface ContractOptions {
  adapter: Adapter<never>;
  /** `owner` is the address of the user whose tasks they are to be. */
  openSender(owner: string): Sender | Promise<Sender>;
  /** Whether the adapter connects to the sender; false for one that listens. True unless given. */
  connects?: boolean;
  /** Whether the sender proves who it is; false unless given. */
  proves?: boolean;
  /** Whether messages wait at the sender while Qinbox is down; false unless given. */
  waits?: boolean;
  /**
   * Whether a message that could not be stored comes again: because the sender repeats it, or because the
   * adapter asks again. True unless given; false for what is sent once, such as UDP.
   */
  repeats?: boolean;
  /** How long a task may take to come, in seconds; 60 unless given. */
  waitSeconds?: number;
  /** Of the intake, for an adapter that has intakes: `preset`, `verification`, `settings`. */
  intake?: Readonly<Record<string, unknown>>;
}

/** What {@link RunningQinbox} is started with. */
export interface QinboxOptions {
  adapter: Adapter<never>;
  /** The variables of the adapter. */
  env: Readonly<Record<string, string>>;
  /** Where its data is, so that it can be started again; a folder that ends with it unless given. */
  folder?: string;
  /** As in {@link ContractOptions}. */
  intake?: Readonly<Record<string, unknown>>;
}

/** A task as a test looks at it. */
export interface SeenTask {
  readonly id: string;
  readonly content: string;
  readonly priority: 'high' | 'normal' | 'low';
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly occurrences: number;
}

/** A Qinbox with one adapter, in the process of the test, on a free port. */
export interface RunningQinbox {
  address: ServerAddress;
  /** What the adapter says of itself. */
  state(): { ok: boolean; detail: string } | null;
  /** Lines of its log, in JSON. */
  logged(): string;
  /** The inbox of owner@example.com, pinned ones first, then the newest. */
  tasks(): Promise<readonly SeenTask[]>;
  acknowledge(id: string): Promise<unknown>;
  /** Resolves when all has ended. */
  stop(): Promise<void>;
}

/** One guarantee. */
export interface ContractTest {
  name: string;
  /** Rejects when it does not hold. Takes up to two minutes, where something never comes. */
  run(): Promise<void>;
}
