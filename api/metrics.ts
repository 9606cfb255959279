// What Prometheus reads: requests, submissions, the queue, live connections, rejected submissions, the event loop.
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { QinboxError } from '#core/errors.ts';
import type { SubmissionQueue } from '#core/ports/submission-queue.ts';
import type { SubmissionObserver } from '#core/services/submissions.ts';
import type { Rejected } from '#core/services/rejected.ts';

const PREFIX = 'qinbox_';
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MINUTE_MS = 60_000;
const MINUTES = 60;

export type Metrics = ReturnType<typeof createMetrics>;

/** The measurements of one process. What is costly to measure is only measured where somebody reads it (`isRead`). */
export function createMetrics(now: () => number, isRead: boolean) {
  const registry = new Registry();
  if (isRead) collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: `${PREFIX}http_requests_total`,
    help: 'Requests answered, by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const latency = new Histogram({
    name: `${PREFIX}http_request_seconds`,
    help: 'Time to answer, by route.',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers: [registry],
  });
  const submissions = new Counter({
    name: `${PREFIX}submissions_total`,
    help: 'Submissions carried out, by adapter and outcome.',
    labelNames: ['adapter', 'outcome'],
    registers: [registry],
  });
  const ended = new Counter({
    name: `${PREFIX}connections_ended_total`,
    help: 'Connections that the server ended because of what the other side did.',
    labelNames: ['reason'],
    registers: [registry],
  });
  const refused = new Counter({
    name: `${PREFIX}bounds_refused_total`,
    help: 'Connections, bodies and answers that were refused because too much was held already.',
    labelNames: ['bound'],
    registers: [registry],
  });
  const created = createRate(now);

  const ingest: SubmissionObserver = {
    carriedOut(submission, outcome) {
      submissions.inc({ adapter: submission.adapter, outcome: outcome.kind });
      if (outcome.kind === 'done') created.add(outcome.outcomes.filter((one) => one.created).length);
    },
    failed(submission, fault) {
      const isFull = fault instanceof QinboxError && fault.code === 'QUOTA_EXCEEDED';
      submissions.inc({ adapter: submission.adapter, outcome: isFull ? 'quota-exceeded' : 'failed' });
    },
  };

  return {
    ingest,
    bounds: {
      /** A connection was ended. */
      ended: (reason: 'unread' | 'pipelined') => ended.inc({ reason }),
      /** Something was refused by this bound. */
      refused: (bound: string) => refused.inc({ bound }),
    },
    /** Tasks made by this process in the last minute and the last hour. */
    tasksCreated: () => ({ lastMinute: created.total(1), lastHour: created.total(MINUTES) }),

    /** Measures every request of `app`. Only where somebody reads it: it costs a few microseconds each. */
    observe(app: FastifyInstance): void {
      app.addHook('onResponse', (request, reply, done) => {
        const { method } = request;
        // The route's pattern, never the address: ids would make a series each.
        const route = request.routeOptions.url ?? 'unknown';
        requests.inc({ method, route, status: reply.statusCode });
        latency.observe({ method, route }, reply.elapsedTime / 1000);
        done();
      });
    },

    /** Asks these whenever the measurements are read. */
    watch(queue: SubmissionQueue, rejected: Rejected, liveConnections: () => number): void {
      const gauge = (
        name: string,
        help: string,
        collect: (gauge: Gauge) => Promise<void> | void,
        labelNames: string[] = [],
      ) =>
        new Gauge({
          name: PREFIX + name,
          help,
          labelNames,
          registers: [registry],
          async collect() {
            // A part that does not answer leaves its numbers out, and the others readable.
            await Promise.resolve(collect(this)).catch(() => this.reset());
          },
        });
      gauge('live_connections', 'Open live connections.', (live) => live.set(liveConnections()));
      gauge('rejected_submissions', 'Submissions that could not become tasks.', async (count) =>
        count.set(await rejected.count()),
      );
      gauge(
        'queue_waiting',
        'Submissions that wait.',
        async (depth) => {
          for (const { adapter, waiting } of await queue.states()) depth.set({ adapter }, waiting);
        },
        ['adapter'],
      );
      gauge(
        'queue_oldest_seconds',
        'How long the one that waits longest has waited.',
        async (age) => {
          for (const { adapter, oldestMs } of await queue.states()) age.set({ adapter }, oldestMs / 1000);
        },
        ['adapter'],
      );
    },

    /** Asks these whenever the measurements are read: what callers hold. */
    watchBounds(held: {
      connections: () => number;
      answerBytes: () => number;
      bodyBytes: () => number;
    }): void {
      const gauge = (name: string, help: string, ask: () => number) =>
        new Gauge({
          name: PREFIX + name,
          help,
          registers: [registry],
          collect() {
            this.set(ask());
          },
        });
      gauge('connections', 'Open connections.', held.connections);
      gauge('answer_bytes', 'Large answers that are being made or not read yet.', held.answerBytes);
      gauge('body_bytes', 'Large bodies that are being read or answered.', held.bodyBytes);
    },

    /** The text that Prometheus reads, and its content type. */
    read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}

/** Counts by the minute over the last hour. */
function createRate(now: () => number) {
  const buckets = Array.from({ length: MINUTES }, () => 0);
  let current = Math.floor(now() / MINUTE_MS);

  function advance(): void {
    const minute = Math.floor(now() / MINUTE_MS);
    for (let passed = Math.max(current, minute - MINUTES) + 1; passed <= minute; passed++)
      buckets[passed % MINUTES] = 0;
    current = Math.max(current, minute);
  }

  return {
    add(count: number): void {
      advance();
      buckets[current % MINUTES] = (buckets[current % MINUTES] ?? 0) + count;
    },
    /** Over the last `minutes`, the one that is running included. */
    total(minutes: number): number {
      advance();
      let sum = 0;
      for (let back = 0; back < minutes; back++) sum += buckets[(current - back + MINUTES) % MINUTES] ?? 0;
      return sum;
    },
  };
}
