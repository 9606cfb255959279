// An ingestion adapter: a folder under adapters/ingestion whose adapter.ts default-exports
// defineAdapter({…}). It parses requests of senders. Limits, defaults, filters, deduplication, durability and
// the delivery log are the program's.
import type { Form } from '#core/contract/index.ts';
import type { AdapterState, AdapterContext } from './context.ts';
import type { IntakeKind } from './intake.ts';
import type { AdapterRoutes } from './routes.ts';

/**
 * Version of this port. The second number grows with what is added; the first when adapters must be changed.
 */
export const PORT_VERSION = '1.0';

export interface RunningAdapter {
  /** Waits for work in flight, then frees all resources. Called once. */
  stop(): Promise<void>;
  /** Shown in `/ready`; null for nothing. */
  state?(): AdapterState | null;
}

/** Environment variables that an adapter reads, by the field of its config: `{ port: 'SMTP_PORT' }`. */
export type ConfigNames = Readonly<Record<string, string>>;

/** An ingestion adapter. */
export interface IngestionAdapter<C = unknown> {
  /** Lower-case word; also the queue's and the metrics' name for it. */
  id: string;
  /** Version of the port that it is written for; those that come with Qinbox are written for its own. */
  portVersion?: string;
  title: string;
  /** A process runs it when it has one of these roles. */
  roles: readonly ('api' | 'worker' | 'smtp' | 'slack')[];
  /** `source` of its tasks. */
  source: string;
  /**
   * Flat object; values come from the variables that `environment` names. A field without default is null
   * when it is not given. A field's `description` is the refusal of a wrong value: "must be a port".
   */
  configSchema: Form;
  environment: ConfigNames;
  /** Fields of the config that are secret: read from NAME_FILE too, never logged. */
  secretFields: readonly string[];
  intakes?: IntakeKind;
  routes?: AdapterRoutes<C>;
  /**
   * Kinds of its stored records that let somebody act for their owner: linked accounts, codes for linking.
   * They are removed when somebody else proves the owner's address.
   */
  accessRecords?: readonly string[];
  /**
   * Whether its config switches it on; true when left out. Otherwise it is not started and offers no intakes.
   */
  isOn?(config: C): boolean;
  /**
   * Begins to take messages in. When it throws, the program starts without the adapter: its state says so,
   * and the log says why.
   */
  start(context: AdapterContext<C>): RunningAdapter | Promise<RunningAdapter>;
}

/** Types an adapter. */
export function defineAdapter<C>(adapter: IngestionAdapter<C>): IngestionAdapter<C> {
  return adapter;
}
