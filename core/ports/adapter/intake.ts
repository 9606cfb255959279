// Intakes as their adapters see them: how a sender proves itself, how a delivery is parsed, and the service that takes deliveries in.
import type { ErrorDetail, Form } from '#core/contract/index.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { IntakeRecord, StoredRequest } from '#core/domain/intake.ts';

/** An intake as its adapter sees it. */
export interface IntakeWithSecrets extends IntakeRecord {
  /**
   * The verification's secrets by name, in clear, as they are good when this is read. Never to be logged. A scheme whose
   * form has a field `previousSecret` beside `secret` proves with either: the program stores the one before there until
   * its grace is over.
   */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What of an intake decides how its deliveries are read and proven; checked before it is kept. */
export type IntakeConfig = Pick<
  IntakeWithSecrets,
  'preset' | 'verification' | 'secrets' | 'mapping' | 'settings'
>;

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
  check(plan: IntakeConfig): ErrorDetail[] | Promise<ErrorDetail[]>;
  /** Reads a kept request (again): previews and replays. Never throws for what a sender wrote. */
  read(plan: IntakeConfig, request: StoredRequest): ParsedDelivery | Promise<ParsedDelivery>;
  /** A delivery such as this intake's sender would make, for "send a test" and for a preview before the first delivery. */
  sample(plan: IntakeConfig): StoredRequest;
}

/** Settings of the whole program that addresses are made of. */
export interface AdapterSettings {
  /** Without a slash at the end. */
  publicUrl: string;
  smtpDomain: string;
}

/** One delivery to one intake, proven and read. */
export interface Delivery {
  intake: IntakeWithSecrets;
  parsed: ParsedDelivery;
  /** What repeats of this very delivery have in common (the sender's id of it); null when nothing tells them. 1..255 characters. */
  replayKey: string | null;
  request: StoredRequest;
  /** Facts for the record of deliveries and, as `metadata.<name>`, not for the task. */
  notes?: Readonly<Record<string, string>>;
  requestId: string;
}

/** What the program did with an arrival. All but `busy` are durable. */
export type DeliveryResult =
  /** Ids are those that new tasks will have. */
  | { kind: 'accepted'; deliveryId: string; taskIds: readonly string[] }
  | { kind: 'duplicate'; deliveryId: string; taskIds: readonly string[] }
  | { kind: 'ignored'; deliveryId: string; reason: string };

/** What adapters hand deliveries to. */
export interface IntakeService {
  /** The intake that a token is good for right now, paused ones included, or null. Throws SERVICE_UNAVAILABLE. */
  find(token: string): Promise<IntakeWithSecrets | null>;
  /** Throws SERVICE_UNAVAILABLE with Retry-After while the intake is paused, and notes the refusal. Before anything is read. */
  checkPaused(intake: IntakeWithSecrets): void;
  /**
   * Counts a delivery against the intake's caps (600 a minute, and its own hourly cap). Once it is proven, where the intake asks for
   * proof, so that others spend nothing of what its sender may deliver; before it is read. Throws SERVICE_UNAVAILABLE with Retry-After
   * when one is full, and notes the refusal; a paused intake too.
   */
  authorize(intake: IntakeWithSecrets, requestId: string): Promise<void>;
  /** Makes a delivery durable. Answer the sender 2xx only when it resolves. Throws SERVICE_UNAVAILABLE; the sender should retry. */
  ingest(arrival: Delivery): Promise<DeliveryResult>;
  /**
   * Notes a delivery that was not taken in, with a sentence for the owner. Never throws and never waits. False when there were so
   * many lately that this one is not noted, and should not be logged either.
   */
  refuse(intake: IntakeWithSecrets, reason: string, about?: RefusalFacts): boolean;
}

/** What is known of a delivery that was not taken in. */
export interface RefusalFacts {
  request?: StoredRequest;
  notes?: Readonly<Record<string, string>>;
  event?: string;
  /** The client's address, when the delivery is not proven: these are counted apart, and each address by itself. */
  unprovenFrom?: string;
}
