// Measures and logs what becomes of submissions, and tells the delivery log of queued ones.
import type { Logger } from 'pino';
import { QinboxError } from '#core/errors.ts';
import type { DeliveryLog } from '#core/services/delivery-log.ts';
import type { SubmissionObserver } from '#core/services/submissions.ts';
import type { Metrics } from '../health/metrics.ts';
import { withoutOutages, type Outages } from '../health/outages.ts';

/** Measures and logs submissions. With `deliveries`, also notes the outcome of queued ones in their log. */
export function createObserver(
  log: Logger,
  outages: Outages,
  metrics: Metrics,
  deliveries: DeliveryLog | null,
): SubmissionObserver {
  const quiet = withoutOutages(log, outages);
  return {
    carriedOut(submission, outcome) {
      metrics.submissions.carriedOut(submission, outcome);
      const { requestId, adapter } = submission;
      if (log.isLevelEnabled('debug'))
        log.debug({ reqId: requestId, adapter, outcome: outcome.kind }, 'carried out');
      deliveries?.noteOutcome(submission, outcome);
    },
    failed(submission, fault) {
      metrics.submissions.failed(submission, fault);
      const { requestId, adapter } = submission;
      // A full queue is no fault of the server, and a sender that goes on would fill the log.
      const level = fault instanceof QinboxError && fault.code === 'QUOTA_EXCEEDED' ? 'debug' : 'warn';
      quiet[level]({ reqId: requestId, adapter, err: fault }, 'a submission was not carried out');
    },
  };
}
