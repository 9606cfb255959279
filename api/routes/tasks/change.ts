// Calls that change or end tasks.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { queueOwnerOf } from '#api/plugins/caller.ts';
import { isoTime } from '#api/present/time.ts';
import { timeOf } from '#api/time-of.ts';
import { addRoute, ok } from '#api/route.ts';
import type { Parts } from '#api/services/services.ts';
import { ACKNOWLEDGED_MESSAGE, MAX_BATCH_BODY_BYTES, taskRoutes } from '#core/contract/index.ts';
import { toChanges } from '#core/domain/task-input.ts';
import { toSettings, toWakeTime } from '#core/domain/task-settings.ts';
import type { Task } from '#core/domain/task.ts';
import type { BulkResult, OneTask } from '#core/services/inbox.ts';
import { checked, firstAsJson, presentChanged, restorableUntil, sendJson } from './answers.ts';
import { allowedVersions, taskTag } from './etags.ts';

export function addChangeRoutes(
  app: FastifyInstance,
  { clock, inbox }: Pick<Parts, 'clock' | 'inbox'>,
): void {
  addRoute(app, taskRoutes.edit, async (request, reply) =>
    answer(request, reply, await inbox.edit(taskOf(request), checked(toChanges(request.body)))),
  );

  addRoute(app, taskRoutes.acknowledge, async (request) => {
    const task = await inbox.acknowledge(taskOf(request));
    return ok({ message: ACKNOWLEDGED_MESSAGE, restorableUntil: restorableUntil(task) });
  });

  addRoute(app, taskRoutes.pin, async (request, reply) =>
    answer(request, reply, await inbox.pin(taskOf(request), request.body.pinned)),
  );

  addRoute(app, taskRoutes.extend, async (request, reply) => {
    const { minutes, from } = request.body;
    const seen = from === undefined ? undefined : timeOf('from', from);
    return answer(request, reply, await inbox.extend(taskOf(request), minutes, seen));
  });

  addRoute(app, taskRoutes.snooze, async (request, reply) => {
    const until = checked(toWakeTime(request.body, clock.now()));
    return answer(request, reply, await inbox.snooze(taskOf(request), until));
  });

  addRoute(app, taskRoutes.restore, async (request, reply) =>
    answer(request, reply, await inbox.restore(taskOf(request))),
  );

  addRoute(app, taskRoutes.acknowledgeMany, async (request) => {
    const { changed, notFound } = await inbox.acknowledgeMany(queueOwnerOf(request), request.body.ids);
    const latest = changed[0];
    return ok({
      acknowledged: changed.map(({ id }) => id),
      notFound,
      restorableUntil: latest === undefined ? isoTime(clock.now()) : restorableUntil(latest),
    });
  });

  addRoute(app, taskRoutes.restoreMany, async (request, reply) =>
    answerMany(request, reply, 'restored', await inbox.restoreMany(queueOwnerOf(request), request.body.ids)),
  );

  addRoute(
    app,
    taskRoutes.changeMany,
    async (request, reply) => {
      const settings = checked(toSettings(request.body.tasks, clock.now()));
      return answerMany(request, reply, 'changed', await inbox.setMany(queueOwnerOf(request), settings));
    },
    { bodyLimit: MAX_BATCH_BODY_BYTES },
  );
}

function taskOf(request: FastifyRequest<{ Params: { id: string } }>): OneTask {
  return { ownerId: queueOwnerOf(request), id: request.params.id, allowed: allowedVersions(request) };
}

function answer(request: FastifyRequest, reply: FastifyReply, task: Task) {
  reply.header('etag', taskTag(task));
  return ok({ task: presentChanged(request, task) });
}

/** The ids of all that were changed under `name`, and as many of their tasks as one answer holds. */
function answerMany(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  { changed, notFound }: BulkResult,
): FastifyReply {
  const { json } = firstAsJson(changed, (task) => JSON.stringify(presentChanged(request, task)));
  const ids = JSON.stringify({ [name]: changed.map(({ id }) => id), notFound }).slice(1, -1);
  return sendJson(reply, `{"success":true,${ids},"tasks":[${json}]}`);
}
