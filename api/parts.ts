// What the application is made of, once the adapters are chosen.
import type { Config } from '#core/config.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import type { RateLimiter } from '#core/ports/rate-limiter.ts';
import type { Storage } from '#core/ports/storage.ts';
import type { AccessControl } from '#core/services/access.ts';
import type { Accounts } from '#core/services/accounts.ts';
import type { ApiKeys } from '#core/services/api-keys.ts';
import type { Inbox } from '#core/services/inbox.ts';
import type { AdapterSettings } from '#core/ports/adapter/intake.ts';
import type { DeliveryLog } from '#core/services/delivery-log.ts';
import type { IntakeDeliveries } from '#core/services/intake-service.ts';
import type { IntakeCache } from '#core/services/intake-cache.ts';
import type { Intakes } from '#core/services/intakes.ts';
import type { Rejected } from '#core/services/rejected.ts';
import type { SignInService } from '#core/services/sign-in.ts';
import type { Submissions } from '#core/services/submissions.ts';
import type { Tokens } from '#core/services/tokens.ts';
import type { IntakePreviews } from '#core/services/intake-preview.ts';
import type { Encryption } from '#core/services/encryption.ts';
import type { Logger } from 'pino';
import type { IngestionAdapters } from './adapter-host/load.ts';
import type { LiveHub } from './live/hub.ts';
import type { Metrics } from './metrics.ts';

export interface Parts {
  config: Config;
  clock: Clock;
  log: Logger;
  storage: Storage;
  bus: EventBus;
  queue: SubmissionQueue;
  limiter: RateLimiter;
  tokens: Tokens;
  accounts: Accounts;
  apiKeys: ApiKeys;
  access: AccessControl;
  signIn: SignInService;
  rejected: Rejected;
  inbox: Inbox;
  submissions: Submissions;
  live: LiveHub;
  metrics: Metrics;
  encryption: Encryption;
  /** The ingestion adapters, loaded. */
  adapters: IngestionAdapters;
  /** What addresses are made of; `publicUrl` is set again once the port is known. */
  settings: AdapterSettings;
  intakes: Intakes;
  intakeCache: IntakeCache;
  intakePreviews: IntakePreviews;
  intakeService: IntakeDeliveries;
  deliveries: DeliveryLog;
  /** Ends what was started, in the order that loses nothing. Twice is fine. */
  close(): Promise<void>;
}
