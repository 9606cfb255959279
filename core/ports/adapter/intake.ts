// Intakes as their adapters see them: how a sender proves itself, how a delivery is parsed, and the service
// that ingests deliveries.
import type { ErrorDetail, Form } from '#core/contract/index.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { IntakeRecord, StoredRequest } from '#core/domain/intake.ts';

/** An intake as its adapter sees it. */
export interface IntakeWithSecrets extends IntakeRecord {
  /**
   * The verification's secrets by name, in clear, as of now. Never log them. A scheme whose form has a field
   * `previousSecret` beside `secret` accepts either: the program stores the former secret there until its
   * grace is over.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** The part of an intake that its adapter verifies and parses deliveries by; checked before it is stored. */
export type IntakeConfig = Pick<
  IntakeWithSecrets,
  'preset' | 'verification' | 'secrets' | 'mapping' | 'settings'
>;

/** One way for a sender to prove itself, as the web app's form shows it. */
export interface SchemeInfo {
  id: string;
  title: string;
  description: string;
  /**
   * Options and secrets of the scheme: `title`, `description`, `default`, `enum`; `secret: true` marks
   * secrets.
   */
  fields: Form;
}

/** A known sender, as the web app's gallery shows it. */
export interface PresetInfo {
  id: string;
  title: string;
  /** One sentence about the payloads that it reads. */
  description: string;
  /** The scheme that fits this sender. */
  scheme: string;
  /** Values of that scheme's options that this sender needs; nothing secret. */
  options?: Readonly<Record<string, unknown>>;
  /** Instructions for the sender's side, a short paragraph; `ADDRESS` in it is the address of the intake. */
  setup: string;
  /** Event types that can be filtered by; empty when there are none. */
  events: readonly string[];
}

/** What to paste into a tool that speaks another hub's protocol. */
export interface OtherAddress {
  /** The hub. */
  title: string;
  address: string;
  /** The key that the tool asks for beside the address; null for none. */
  key: string | null;
  /** How the hub's apps are set up to show the queue, for a person; null where they cannot. */
  apps: string | null;
}

/** The intakes of an adapter: addresses, each for one sender. */
export interface IntakeKind {
  /** The kind of address, for the screen. */
  addressKind: 'url' | 'email';
  /** The whole address of a token. */
  address(token: string, settings: AdapterSettings): string;
  /** Where clients of other hubs deliver to the same intake; `config` is the adapter's. */
  otherAddresses?(token: string, settings: AdapterSettings, config: unknown): readonly OtherAddress[];
  /** The first is the default. At least one. */
  schemes: readonly SchemeInfo[];
  /** The first is the default; may be empty. */
  presets: readonly PresetInfo[];
  /** Further settings of an intake of this kind; null for none. */
  settings: Form | null;
  /** Whether the owner may give a mapping. */
  takesMapping: boolean;
  /** Faults beyond the schemas: a template that does not parse, a missing option. */
  check(config: IntakeConfig): ErrorDetail[] | Promise<ErrorDetail[]>;
  /** Parses a stored request, for previews and replays. Never throws, whatever the sender wrote. */
  read(config: IntakeConfig, request: StoredRequest): ParsedDelivery | Promise<ParsedDelivery>;
  /**
   * A typical delivery of this intake's sender, for "send a test" and for a preview before the first
   * delivery.
   */
  sample(config: IntakeConfig): StoredRequest;
}

/** Settings of the program that addresses are built from. */
export interface AdapterSettings {
  /** Without a slash at the end. */
  publicUrl: string;
  smtpDomain: string;
}

/** One delivery to one intake, verified and parsed. */
export interface Delivery {
  intake: IntakeWithSecrets;
  parsed: ParsedDelivery;
  /**
   * The same for repeats of this delivery (the sender's id of it), 1..255 characters; null when they cannot
   * be told.
   */
  replayKey: string | null;
  request: StoredRequest;
  /** Facts for the delivery log; they do not become part of the task. */
  notes?: Readonly<Record<string, string>>;
  requestId: string;
  /**
   * Given where the sender can say when a delivery is due: in milliseconds, or null for now. Its tasks are
   * made then. One with the dedupe key of a task or of a resolved key takes the place of what waits.
   */
  dueAt?: number | null;
}

/** The outcome of a delivery. It is durable. */
export type DeliveryResult =
  /** Ids that new tasks have or will have. */
  | { kind: 'accepted'; deliveryId: string; taskIds: readonly string[] }
  | { kind: 'duplicate'; deliveryId: string; taskIds: readonly string[] }
  | { kind: 'ignored'; deliveryId: string; reason: string };

/** Ingests deliveries. */
export interface IntakeService {
  /**
   * The adapter's own intake of a token that is valid now, paused ones included, or null: also for a token of
   * another adapter's intake. Throws SERVICE_UNAVAILABLE.
   */
  find(token: string): Promise<IntakeWithSecrets | null>;
  /**
   * Throws SERVICE_UNAVAILABLE with Retry-After while the intake is paused, and logs the refusal. Call it
   * first.
   */
  checkPaused(intake: IntakeWithSecrets): void;
  /**
   * Counts a delivery against the intake's rate limits (600 a minute, and its own hourly one). Call it after
   * the verification, so that only the intake's sender uses them up, and before parsing. Throws
   * SERVICE_UNAVAILABLE with Retry-After when a limit is reached or the intake is paused, and logs the
   * refusal.
   */
  authorize(intake: IntakeWithSecrets, requestId: string): Promise<void>;
  /**
   * Makes a delivery durable. Answer the sender 2xx only once it resolves. Throws SERVICE_UNAVAILABLE, and
   * PAYLOAD_TOO_LARGE for more than 5,000 resolved keys.
   */
  ingest(delivery: Delivery): Promise<DeliveryResult>;
  /**
   * Adds a refused delivery to the delivery log, with a sentence for the owner. Never throws and never waits.
   * False when there were too many lately: it is not added, and should not be logged either.
   */
  refuse(intake: IntakeWithSecrets, reason: string, about?: RefusalFacts): boolean;
  /**
   * Adds to the delivery log that a sender asked whether the address is the owner's, and was answered: what
   * it asked, in a sentence. As bounded as refusals are; `unprovenFrom` as there.
   */
  noteHandshake(intake: IntakeWithSecrets, reason: string, about?: Pick<RefusalFacts, 'unprovenFrom'>): void;
}

/** Facts about a refused delivery. */
export interface RefusalFacts {
  request?: StoredRequest;
  notes?: Readonly<Record<string, string>>;
  event?: string;
  /** The client's address of an unproven delivery; those are limited by address. */
  unprovenFrom?: string;
}
