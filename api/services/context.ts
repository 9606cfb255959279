// What the services are built of.
import type { Logger } from 'pino';
import type { Config } from '#core/config.ts';
import type { IdSource } from '#core/domain/ids.ts';
import type { Encryption } from '#core/services/encryption.ts';
import type { AccessTokens } from '#core/ports/access-tokens.ts';
import type { Clock } from '#core/ports/clock.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import type { IdentityProvider } from '#core/ports/identity.ts';
import type { Mailer } from '#core/ports/mailer.ts';
import type { Outgoing } from '#core/ports/outgoing.ts';
import type { PasswordHasher } from '#core/ports/password-hasher.ts';
import type { ProcessFigures, Processes } from '#core/ports/processes.ts';
import type { PushSender } from '#core/ports/push-sender.ts';
import type { RateLimiter } from '#core/ports/rate-limiter.ts';
import type { Storage } from '#core/ports/storage.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import type { IngestionAdapters } from '../adapter-host/load.ts';
import type { Metrics } from '../health/metrics.ts';
import type { Outages } from '../health/outages.ts';
import type { Tracing } from '../tracing/tracing.ts';

/** What stands behind the ports. */
export interface Backends {
  storage: Storage;
  bus: EventBus;
  queue: SubmissionQueue;
  limiter: RateLimiter;
  processes: Processes;
  passwords: PasswordHasher;
  accessTokens: AccessTokens;
  google: IdentityProvider | null;
  /** Reaches the addresses that users name. */
  outgoing: Outgoing;
  pushSender: PushSender;
  /** Null while the operator names no relay. */
  mailer: Mailer | null;
  /** The ingestion adapters, loaded. */
  adapters: IngestionAdapters;
}

export interface Environment {
  config: Config;
  clock: Clock;
  log: Logger;
  outages: Outages;
  tracing: Tracing;
  /** What the log and the figures of all processes call this one. */
  about: Pick<ProcessFigures, 'instance' | 'role' | 'version'>;
  /** The first signs tokens and encrypts, all verify and decrypt. */
  secrets: readonly [string, ...string[]];
  /** Whether to carry out queued submissions and to remove expired tasks. */
  background: boolean;
}

export interface Context extends Backends, Environment {
  metrics: Metrics;
  nextId: IdSource;
  encryption: Encryption;
  /** Reports a failure of background work. */
  onError: (error: unknown) => void;
}
