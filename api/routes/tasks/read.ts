// Calls that read tasks.
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { queueOwnerOf } from '#api/plugins/caller.ts';
import { presentTask, taskJson } from '#api/present/tasks.ts';
import { isoTime } from '#api/present/time.ts';
import { addRoute, ok } from '#api/route.ts';
import { DEFAULT_PAGE_LIMIT, taskRoutes, type TaskListQuery } from '#core/contract/index.ts';
import { defined } from '#core/domain/filled.ts';
import { fingerprintOf } from '#core/domain/hash.ts';
import { isSearch, type TaskFilter } from '#core/ports/task-store.ts';
import type { Inbox } from '#core/services/inbox.ts';
import { firstAsJson, restorableUntil, sendJson } from './answers.ts';
import { isKnown, taskTag } from './etags.ts';

export function addReadRoutes(app: FastifyInstance, inbox: Inbox): void {
  addRoute(app, taskRoutes.list, async (request, reply) => {
    const ownerId = queueOwnerOf(request);
    const { query } = request;
    const etag = `W/"${await inbox.revision(ownerId)}.${queryDigest(query)}"`;
    const withCaching = () => reply.header('etag', etag).header('cache-control', 'private, no-cache');
    if (isKnown(request, etag)) return withCaching().code(304).send();
    const { limit = DEFAULT_PAGE_LIMIT, offset = 0, order } = query;
    const asked = { ownerId, filter: toFilter(query), order, limit, offset };
    const page = await inbox.list(isSearch(asked) ? { ...asked, signal: request.signal } : asked);
    withCaching();
    const { json, count } = firstAsJson(page.tasks, taskJson);
    const pagination = JSON.stringify({ limit, offset, total: page.total, returned: count });
    const statistics = JSON.stringify(page.statistics);
    return sendJson(
      reply,
      `{"success":true,"tasks":[${json}],"pagination":${pagination},"statistics":${statistics}}`,
    );
  });

  addRoute(app, taskRoutes.summary, async (request) =>
    ok({ statistics: await inbox.statistics(queueOwnerOf(request)) }),
  );

  addRoute(app, taskRoutes.facets, async (request) =>
    ok({ facets: await inbox.facets(queueOwnerOf(request), request.signal) }),
  );

  addRoute(app, taskRoutes.recentlyAcknowledged, async (request, reply) => {
    const tasks = await inbox.recentlyAcknowledged(queueOwnerOf(request));
    const { json } = firstAsJson(tasks, (task) =>
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
}

function toFilter(query: TaskListQuery): TaskFilter {
  const { priority, source, tag, intake, q } = query;
  const tags = typeof tag === 'string' ? [tag] : tag;
  const text = q?.trim() || undefined;
  const pinned = query.pinned ?? (query.include_pinned === false ? false : undefined);
  const snoozed = query.snoozed === true ? true : undefined;
  return defined({ priority, source, tags, intake, text, pinned, snoozed });
}

/** By the JSON of the query: few different ones are asked again and again. */
const digests = new LRUCache<string, string>({ max: 1000 });

function queryDigest(query: TaskListQuery): string {
  const key = JSON.stringify(query);
  let digest = digests.get(key);
  if (digest === undefined) {
    digest = fingerprintOf(query).slice(0, 12);
    digests.set(key, digest);
  }
  return digest;
}
