// Measurements for Prometheus, of one process.
import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { QinboxError } from '#core/errors.ts';
import type { Log } from '#core/ports/log.ts';
import type { Meter } from '#core/ports/meter.ts';
import type { Storage } from '#core/ports/storage.ts';
import type { QueueMemory, SubmissionQueue } from '#core/ports/submission-queue.ts';
import type { PushObserver } from '#core/services/push/delivery.ts';
import type { Rejected } from '#core/services/rejected.ts';
import type { SubmissionObserver } from '#core/services/submissions.ts';
import { measureParts, timeStorage, type MeasuredParts } from './part-metrics.ts';

const PREFIX = 'qinbox_';
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const MINUTE_MS = 60_000;
const MINUTES = 60;
/** Reasons that the log has told. */
const MAX_TOLD = 100;

export type Metrics = ReturnType<typeof createMetrics>;

/** The measurements of one process. Costly ones are taken only where somebody reads them (`isRead`). */
export function createMetrics(now: () => number, isRead: boolean) {
  const registry = new Registry();
  const registers = [registry];
  if (isRead) collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: PREFIX + name, help, labelNames, registers });
  const submissions = counter(
    'submissions_total',
    'Submissions carried out, by adapter and outcome.',
    'adapter',
    'outcome',
  );
  const ended = counter(
    'connections_ended_total',
    'Connections that the server ended because of what the other side did.',
    'reason',
  );
  const refused = counter(
    'bounds_refused_total',
    'Connections, bodies and answers that were refused because too much was held already.',
    'bound',
  );
  const requests = counter(
    'http_requests_total',
    'Requests answered, by route and status; with why, those refused without anything being at fault.',
    'method',
    'route',
    'status',
    'refused',
  );
  const pushes = counter('pushes_total', 'Pushes to devices, by what became of them.', 'outcome');
  const observeRequests = createRequestObserver(requests, registers);
  const created = createRate(now);
  const gauge = createGauges(registers);

  return {
    submissions: observeSubmissions(submissions, created),
    bounds: {
      ended: (reason: 'unread' | 'pipelined') => ended.inc({ reason }),
      refused: (bound: string) => refused.inc({ bound }),
    },
    pushes: (log: Pick<Log, 'warn'>) => observePushes(pushes, log),
    /** Tasks made by this process in the last minute and the last hour. */
    tasksCreated: () => ({ lastMinute: created.total(1), lastHour: created.total(MINUTES) }),

    /** Measures every request of `app`: a few microseconds each, so only where somebody reads it. */
    observe: observeRequests,

    /** For the ingestion adapters. */
    meter: createMeter(counter, gauge),

    /** The storage with its calls timed, where somebody reads it. */
    timed: (storage: Storage) => (isRead ? timeStorage(registry, storage) : storage),

    /** Measures the parts behind the program whenever the measurements are read. */
    measureParts: (parts: MeasuredParts) => measureParts(registry, parts),

    /** Measures these whenever the measurements are read. */
    watch(queue: SubmissionQueue, rejected: Rejected, liveConnections: () => number): void {
      gauge('live_connections', 'Open live connections.', (live) => live.set(liveConnections()));
      gauge('rejected_submissions', 'Submissions that could not become tasks.', async (count) =>
        count.set(await rejected.count()),
      );
      type State = Awaited<ReturnType<SubmissionQueue['states']>>[number];
      const perAdapter = (valueOf: (state: State) => number) => async (each: Gauge) => {
        for (const state of await queue.states()) each.set({ adapter: state.adapter }, valueOf(state));
      };
      const waiting = perAdapter((state) => state.waiting);
      const oldest = perAdapter((state) => state.oldestMs / 1000);
      gauge('queue_waiting', 'Submissions that wait.', waiting, ['adapter']);
      gauge('queue_oldest_seconds', 'How long the one that waits longest has waited.', oldest, ['adapter']);
      const unanswered = perAdapter((state) => state.unanswered);
      const help = 'Queues that did not answer, and are not in the figures; 0 where all did.';
      gauge('queue_unanswered', help, unanswered, ['adapter']);
      const ofMemory = (value: (memory: QueueMemory) => number) => async (bytes: Gauge) => {
        const memory = await queue.memory();
        if (memory !== null) bytes.set(value(memory));
      };
      const used = ofMemory((memory) => memory.usedBytes);
      const limit = ofMemory((memory) => memory.limitBytes);
      gauge('queue_memory_bytes', 'Memory in use where submissions wait.', used);
      gauge('queue_memory_limit_bytes', 'How much it may be; 0 where nobody set one.', limit);
    },

    /** The same for what callers hold. */
    watchBounds(held: Record<'connections' | 'answerBytes' | 'bodyBytes', () => number>): void {
      gauge('connections', 'Open connections.', (each) => each.set(held.connections()));
      gauge('answer_bytes', 'Large answers that are being made or not read yet.', (each) =>
        each.set(held.answerBytes()),
      );
      gauge('body_bytes', 'Large bodies that are being read or answered.', (each) =>
        each.set(held.bodyBytes()),
      );
    },

    /** The text that Prometheus reads, and its content type. */
    read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}

function observeSubmissions(
  submissions: Counter,
  created: ReturnType<typeof createRate>,
): SubmissionObserver {
  return {
    carriedOut(submission, outcome) {
      submissions.inc({ adapter: submission.adapter, outcome: outcome.kind });
      if (outcome.kind === 'done') created.add(outcome.outcomes.filter((one) => one.created).length);
    },
    failed(submission, fault) {
      const isFull = fault instanceof QinboxError && fault.code === 'QUOTA_EXCEEDED';
      submissions.inc({ adapter: submission.adapter, outcome: isFull ? 'quota-exceeded' : 'failed' });
    },
  };
}

/** Of what push services refuse, the log has a line for each reason, not for each push. */
function observePushes(pushes: Counter, log: Pick<Log, 'warn'>): PushObserver {
  const told = new Set<string>();
  return {
    sent: () => pushes.inc({ outcome: 'sent' }),
    forgotten: () => pushes.inc({ outcome: 'forgotten' }),
    refused(reason, origin) {
      pushes.inc({ outcome: 'refused' });
      const line = `${origin} ${reason}`;
      if (told.has(line) || told.size >= MAX_TOLD) return;
      told.add(line);
      log.warn({ origin, reason }, 'a push service does not take pushes');
    },
  };
}

/** For the ingestion adapters. */
function createMeter(
  counter: (name: string, help: string, ...labelNames: string[]) => Counter,
  gauge: ReturnType<typeof createGauges>,
): Meter {
  return {
    counter(name, help, label) {
      const counted = counter(name, help, label);
      return (value) => counted.inc({ [label]: value });
    },
    gauge: (name, help, read) => void gauge(name, help, (each) => each.set(read())),
  };
}

/** Makes gauges that are asked whenever they are read; without an answer they are left out. */
function createGauges(registers: Registry[]) {
  return (name: string, help: string, collect: (gauge: Gauge) => unknown, labelNames: string[] = []) =>
    new Gauge({
      name: PREFIX + name,
      help,
      labelNames,
      registers,
      async collect() {
        await Promise.resolve(collect(this)).catch(() => this.reset());
      },
    });
}

/** Counts and times the requests of an application. */
function createRequestObserver(requests: Counter, registers: Registry[]): (app: FastifyInstance) => void {
  const latency = new Histogram({
    name: `${PREFIX}http_request_seconds`,
    help: 'Time to answer, by route.',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers,
  });
  return (app) => {
    app.addHook('onResponse', (request, reply, done) => {
      const { method } = request;
      // The route's pattern, not the address: each id would make a series of its own.
      const route = request.routeOptions.url ?? 'unknown';
      const { refusal } = request;
      const status = reply.statusCode;
      // An empty label is none, so that nothing else of the series changes.
      requests.inc(
        refusal === null ? { method, route, status } : { method, route, status, refused: refusal },
      );
      latency.observe({ method, route }, reply.elapsedTime / 1000);
      done();
    });
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
