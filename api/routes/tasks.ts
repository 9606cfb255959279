// The calls on tasks: read requests, ask the services, present what they answer.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fromForm, fromText, type TextHeaders } from '#api/text-body.ts';
import {
  ACKNOWLEDGED_MESSAGE,
  DEFAULT_PAGE_LIMIT,
  MAX_BATCH_ANSWER_BYTES,
  MAX_BATCH_BODY_BYTES,
  taskRoutes,
  UNDO_WINDOW_MS,
  type TaskListQuery,
} from '#core/contract/index.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import { toChanges, toDraft, type Checked } from '#core/domain/task-input.ts';
import type { Task, TaskDraft } from '#core/domain/task.ts';
import { invalid } from '#core/errors.ts';
import type { OneTask } from '#core/services/inbox.ts';
import type { SubmissionRequest } from '#core/services/submissions.ts';
import { isSearch, type TaskFilter } from '#core/ports/task-store.ts';
import type { TaskOutcome } from '#core/domain/submission-outcome.ts';
import { allowedVersions, isKnown, taskTag } from '../etags.ts';
import { idempotencyOf } from '../idempotency.ts';
import type { Parts } from '../parts.ts';
import { takeText } from '../plugins/body.ts';
import { queueOwnerOf, signedIn } from '../plugins/caller.ts';
import { isoTime, presentTask, taskJson } from '../present.ts';
import { addRoute, ok } from '../route.ts';
import { fittingJson, presentChanged, presentMade } from '../task-answers.ts';

const ADAPTER = 'rest';
const FORM = 'application/x-www-form-urlencoded';

/** Adds every `/tasks` call. */
export function addTaskRoutes(
  app: FastifyInstance,
  { inbox, submissions }: Pick<Parts, 'inbox' | 'submissions'>,
): void {
  app.register(async (scope) => {
    for (const contentType of Object.keys(taskRoutes.create.schema.consumes)) takeText(scope, contentType);
    addRoute(
      scope,
      taskRoutes.create,
      async (request, reply) => {
        const submission = submissionOf(request, [checked(toDraft(request.body))]);
        if (wantsAsync(request)) {
          const [id] = (await submissions.enqueue(submission)).taskIds;
          reply.code(202).header('preference-applied', 'respond-async');
          return ok({ id: id as string });
        }
        const { outcomes, isReplay } = await submissions.store(submission);
        if (isReplay) reply.header('idempotency-replayed', 'true');
        const made = outcomes[0] as TaskOutcome;
        reply.header('etag', taskTag(made.task));
        return sendJson(reply, `{"success":true,"task":${JSON.stringify(presentMade(request, made))}}`);
      },
      { preValidation: readTextBody },
    );
  });

  addRoute(
    app,
    taskRoutes.createBatch,
    async (request, reply) => {
      const { outcomes, isReplay } = await submissions.store(
        submissionOf(request, toDrafts(request.body.tasks)),
      );
      if (isReplay) reply.header('idempotency-replayed', 'true');
      const ids = JSON.stringify(outcomes.map(({ task }) => task.id));
      const { json } = fittingJson(
        outcomes,
        (outcome) => JSON.stringify(presentMade(request, outcome)),
        MAX_BATCH_ANSWER_BYTES,
      );
      return sendJson(reply, `{"success":true,"ids":${ids},"tasks":[${json}]}`);
    },
    { bodyLimit: MAX_BATCH_BODY_BYTES },
  );

  addRoute(app, taskRoutes.list, async (request, reply) => {
    const ownerId = queueOwnerOf(request);
    const { query } = request;
    const etag = `W/"${await inbox.revision(ownerId)}.${queryDigest(query)}"`;
    const known = () => reply.header('etag', etag).header('cache-control', 'private, no-cache');
    if (isKnown(request, etag)) return known().code(304).send();
    const limit = query.limit ?? DEFAULT_PAGE_LIMIT;
    const offset = query.offset ?? 0;
    const filter = toFilter(query);
    const page = await inbox.list({
      ownerId,
      filter,
      limit,
      offset,
      signal: isSearch(filter) ? request.signal : undefined,
    });
    known();
    const { json, count } = fittingJson(page.tasks, taskJson);
    const pagination = { limit, offset, total: page.total, returned: count };
    return sendJson(
      reply,
      `{"success":true,"tasks":[${json}],"pagination":${JSON.stringify(pagination)},"statistics":${JSON.stringify(page.statistics)}}`,
    );
  });

  addRoute(app, taskRoutes.summary, async (request) =>
    ok({ statistics: await inbox.statistics(queueOwnerOf(request)) }),
  );

  addRoute(app, taskRoutes.recentlyAcknowledged, async (request, reply) => {
    const tasks = await inbox.recentlyAcknowledged(queueOwnerOf(request));
    const { json } = fittingJson(tasks, (task) =>
      JSON.stringify({
        task: presentTask(task),
        acknowledgedAt: isoTime(task.acknowledgedAt ?? task.updatedAt),
        restorableUntil: restorableUntil(task),
      }),
    );
    return sendJson(reply, `{"success":true,"tasks":[${json}]}`);
  });

  addRoute(app, taskRoutes.get, async (request, reply) => {
    const task = await inbox.get(queueOwnerOf(request), request.params.id);
    const etag = taskTag(task);
    reply.header('etag', etag).header('cache-control', 'private, no-cache');
    return isKnown(request, etag) ? reply.code(304).send() : ok({ task: presentTask(task) });
  });

  addRoute(app, taskRoutes.edit, async (request, reply) =>
    changed(request, reply, await inbox.edit(taskOf(request), checked(toChanges(request.body)))),
  );

  addRoute(app, taskRoutes.acknowledge, async (request) => {
    const task = await inbox.acknowledge(taskOf(request));
    return ok({ message: ACKNOWLEDGED_MESSAGE, restorableUntil: restorableUntil(task) });
  });

  addRoute(app, taskRoutes.pin, async (request, reply) =>
    changed(request, reply, await inbox.pin(taskOf(request), request.body.pinned)),
  );

  addRoute(app, taskRoutes.extend, async (request, reply) => {
    const { minutes, from } = request.body;
    const seen = from === undefined ? undefined : timeOf('from', from);
    return changed(request, reply, await inbox.extend(taskOf(request), minutes, seen));
  });

  addRoute(app, taskRoutes.restore, async (request, reply) =>
    changed(request, reply, await inbox.restore(taskOf(request))),
  );

  addRoute(app, taskRoutes.acknowledgeMany, async (request) => {
    const { changed: acknowledged, notFound } = await inbox.acknowledgeMany(
      queueOwnerOf(request),
      request.body.ids,
    );
    const latest = acknowledged[0];
    return ok({
      acknowledged: acknowledged.map(({ id }) => id),
      notFound,
      restorableUntil: latest === undefined ? isoTime(Date.now()) : restorableUntil(latest),
    });
  });

  addRoute(app, taskRoutes.restoreMany, async (request, reply) => {
    const { changed, notFound } = await inbox.restoreMany(queueOwnerOf(request), request.body.ids);
    const { json } = fittingJson(changed, (task) => JSON.stringify(presentChanged(request, task)));
    const ids = JSON.stringify({ restored: changed.map(({ id }) => id), notFound }).slice(1, -1);
    return sendJson(reply, `{"success":true,${ids},"tasks":[${json}]}`);
  });
}

// For what is asked most: JSON that was put together by hand, past the serialiser.
function sendJson(reply: FastifyReply, json: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json);
}

function submissionOf(request: FastifyRequest, drafts: TaskDraft[]): SubmissionRequest {
  return {
    ownerId: signedIn(request).ownerId,
    adapter: ADAPTER,
    drafts,
    requestId: request.id,
    ...idempotencyOf(request),
  };
}

function taskOf(request: FastifyRequest<{ Params: { id: string } }>): OneTask {
  return { ownerId: queueOwnerOf(request), id: request.params.id, allowed: allowedVersions(request) };
}

function changed(request: FastifyRequest, reply: FastifyReply, task: Task) {
  reply.header('etag', taskTag(task));
  return ok({ task: presentChanged(request, task) });
}

function checked<T>(result: Checked<T>): T {
  if (!result.ok) throw invalid(result.details);
  return result.value;
}

// RFC 3339 allows a leap second and small letters, which `Date` does not read.
function timeOf(field: string, text: string): number {
  const time = Date.parse(text.toUpperCase().replace(/:60(?=[.Z+-])/, ':59'));
  if (Number.isNaN(time)) throw invalid([{ field, message: 'must be a time, such as 2026-11-21T09:00:00Z' }]);
  return time;
}

/** All drafts, or a refusal that names every bad item by its index. */
function toDrafts(items: Parameters<typeof toDraft>[0][]): TaskDraft[] {
  const results = items.map((item, index) => toDraft(item, `tasks/${index}/`));
  const details = results.flatMap((result) => (result.ok ? [] : result.details));
  if (details.length > 0) throw invalid(details.slice(0, 50));
  return results.flatMap((result) => (result.ok ? [result.value] : []));
}

function readTextBody(request: FastifyRequest, _reply: unknown, done: () => void): void {
  if (typeof request.body === 'string') {
    const headers = request.headers as TextHeaders;
    request.body =
      request.headers['content-type']?.startsWith(FORM) === true
        ? fromForm(request.body, headers)
        : fromText(request.body, headers);
  }
  done();
}

// RFC 7240: preferences are a list, each with parameters; anything unknown is ignored.
function wantsAsync(request: FastifyRequest): boolean {
  const { prefer } = request.headers;
  return prefer !== undefined && /(?:^|,)\s*respond-async\s*(?:[,;]|$)/i.test(String(prefer));
}

function toFilter(query: TaskListQuery): TaskFilter {
  const text = query.q?.trim();
  const pinned = query.pinned ?? (query.include_pinned === false ? false : undefined);
  return {
    ...(query.priority === undefined ? {} : { priority: query.priority }),
    ...(query.source === undefined ? {} : { source: query.source }),
    ...(query.tag === undefined ? {} : { tag: query.tag }),
    ...(text === undefined || text === '' ? {} : { text }),
    ...(pinned === undefined ? {} : { pinned }),
  };
}

const digests = new Map<string, string>();

// A handful of queries is asked again and again; the rest costs one hash.
function queryDigest(query: TaskListQuery): string {
  const key = JSON.stringify(query);
  let digest = digests.get(key);
  if (digest === undefined) {
    digest = fingerprintOf(query).slice(0, 12);
    if (digests.size >= 1000) digests.clear();
    digests.set(key, digest);
  }
  return digest;
}

function restorableUntil(task: Task): string {
  return isoTime((task.acknowledgedAt ?? task.updatedAt) + UNDO_WINDOW_MS);
}
