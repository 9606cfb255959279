// `qinbox/adapter`: what an adapter of somebody else imports of Qinbox. Nothing is taken from it or changed
// without a new version of the port (core/ports/adapter/adapter.ts).
import type { IngestionAdapter } from '#core/ports/adapter/adapter.ts';

export { Type } from 'typebox';
export { QinboxError } from '#core/errors.ts';
export { PORT_VERSION, type RunningAdapter } from '#core/ports/adapter/adapter.ts';
export type {
  AdapterContext,
  AdapterState,
  AdapterSubmission,
  AdapterSubmissionResult,
  TaskEvent,
} from '#core/ports/adapter/context.ts';
export type { HttpRequest, HttpResponse } from '#core/ports/adapter/http.ts';
export type { Delivery, DeliveryResult, IntakeConfig } from '#core/ports/adapter/intake.ts';
export type { ParsedDelivery, ParsedTask } from '#core/domain/delivery.ts';
export type { StoredRequest } from '#core/domain/intake.ts';
export { htmlToText } from '#core/text/html-to-text.ts';
export { PollLater, startPolling, type PollingOptions } from '#core/services/polling.ts';
export { trackWork, type WorkInFlight } from '#core/services/work/in-flight.ts';

type Optional = 'title' | 'roles' | 'source' | 'configSchema' | 'environment' | 'secretFields';

/** An adapter as somebody else writes it: what is left out has a default. */
export type Adapter<C = unknown> = Omit<IngestionAdapter<C>, Optional | 'portVersion'> &
  Partial<Pick<IngestionAdapter<C>, Optional>> & {
    /** Version of the port that it is written for, as `'1.0'`. */
    portVersion: string;
  };

/** Types an adapter. */
export function defineAdapter<C>(adapter: Adapter<C>): Adapter<C> {
  return adapter;
}
