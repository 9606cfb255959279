// What the application is made of, once the adapters are chosen.
import type { Config } from '#core/config.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { IngestQueue } from '#core/ports/submission-queue.ts';
import type { RateLimiter } from '#core/ports/rate-limiter.ts';
import type { Storage } from '#core/ports/storage.ts';
import type { AccessControl } from '#core/services/access.ts';
import type { Accounts } from '#core/services/accounts.ts';
import type { ApiKeys } from '#core/services/api-keys.ts';
import type { Inbox } from '#core/services/inbox.ts';
import type { AdapterSettings } from '#core/ports/adapter.ts';
import type { Deliveries } from '#core/services/delivery-log.ts';
import type { IntakeDesk } from '#core/services/intake-service.ts';
import type { Ingest } from '#core/services/ingest.ts';
import type { IntakeAccess } from '#core/services/intake-cache.ts';
import type { Intakes } from '#core/services/intakes.ts';
import type { Links } from '#core/services/links.ts';
import type { Rejected } from '#core/services/rejected.ts';
import type { SignInService } from '#core/services/sign-in.ts';
import type { Tokens } from '#core/services/tokens.ts';
import type { Trials } from '#core/services/intake-preview.ts';
import type { Vault } from '#core/services/encryption.ts';
import type { Logger } from 'pino';
import type { IngestionAdapters } from './adapters.ts';
import type { LiveHub } from './live/hub.ts';
import type { Metrics } from './metrics.ts';

export interface Parts {
  config: Config;
  clock: Clock;
  log: Logger;
  storage: Storage;
  bus: EventBus;
  queue: IngestQueue;
  limiter: RateLimiter;
  tokens: Tokens;
  accounts: Accounts;
  apiKeys: ApiKeys;
  access: AccessControl;
  signIn: SignInService;
  rejected: Rejected;
  inbox: Inbox;
  ingest: Ingest;
  live: LiveHub;
  metrics: Metrics;
  vault: Vault;
  /** The ingestion adapters, loaded. */
  adapters: IngestionAdapters;
  /** What addresses are made of; `publicUrl` is set again once the port is known. */
  settings: AdapterSettings;
  intakes: Intakes;
  intakeAccess: IntakeAccess;
  trials: Trials;
  links: Links;
  desk: IntakeDesk;
  deliveries: Deliveries;
  /** Ends what was started, in the order that loses nothing. Twice is fine. */
  close(): Promise<void>;
}
