// Calls that make tasks.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { takeText } from '#api/plugins/body.ts';
import { signedIn } from '#api/plugins/caller.ts';
import { addRoute, ok } from '#api/route.ts';
import { MAX_BATCH_ANSWER_BYTES, MAX_BATCH_BODY_BYTES, taskRoutes } from '#core/contract/index.ts';
import type { TaskOutcome } from '#core/domain/submission-outcome.ts';
import { toDraft } from '#core/domain/task-input.ts';
import type { TaskDraft } from '#core/domain/task.ts';
import { invalid } from '#core/errors.ts';
import { principalKey } from '#core/services/principal.ts';
import type { SubmissionRequest, Submissions } from '#core/services/submissions.ts';
import { checked, firstAsJson, presentCreated, sendJson } from './answers.ts';
import { taskTag } from './etags.ts';
import { fromForm, fromText, type TextHeaders } from './text-body.ts';

const ADAPTER = 'rest';
const FORM = 'application/x-www-form-urlencoded';
const MAX_DETAILS = 50;

export function addCreateRoutes(app: FastifyInstance, submissions: Submissions): void {
  // A scope of its own: no other call takes bodies that are not JSON.
  app.register(async (scope) => {
    for (const contentType of Object.keys(taskRoutes.create.schema.consumes)) takeText(scope, contentType);
    addRoute(
      scope,
      taskRoutes.create,
      async (request, reply) => {
        const submission = submissionOf(request, [checked(toDraft(request.body))]);
        if (wantsAsync(request)) {
          const { taskIds, isReplay } = await submissions.enqueue(submission);
          if (isReplay) reply.header('idempotency-replayed', 'true');
          reply.code(202).header('preference-applied', 'respond-async');
          return ok({ id: taskIds[0] as string });
        }
        const { outcomes, isReplay } = await submissions.store(submission);
        if (isReplay) reply.header('idempotency-replayed', 'true');
        const outcome = outcomes[0] as TaskOutcome;
        reply.header('etag', taskTag(outcome.task));
        // By hand: for an answer that is one of two schemas, the serialiser takes 7 µs instead of 1.4.
        const task = JSON.stringify(presentCreated(request, outcome));
        return sendJson(reply, `{"success":true,"task":${task}}`);
      },
      { preValidation: readTextBody },
    );
  });

  addRoute(
    app,
    taskRoutes.createBatch,
    async (request, reply) => {
      const drafts = toDrafts(request.body.tasks);
      const { outcomes, isReplay } = await submissions.store(submissionOf(request, drafts));
      if (isReplay) reply.header('idempotency-replayed', 'true');
      const ids = JSON.stringify(outcomes.map(({ task }) => task.id));
      const jsonOf = (outcome: TaskOutcome) => JSON.stringify(presentCreated(request, outcome));
      const { json } = firstAsJson(outcomes, jsonOf, MAX_BATCH_ANSWER_BYTES);
      return sendJson(reply, `{"success":true,"ids":${ids},"tasks":[${json}]}`);
    },
    { bodyLimit: MAX_BATCH_BODY_BYTES },
  );
  addResolveRoute(app, submissions);
}

function addResolveRoute(app: FastifyInstance, submissions: Submissions): void {
  addRoute(app, taskRoutes.resolve, async (request) => {
    const { ownerId } = signedIn(request);
    const resolves = [...new Set(request.body.dedupeKeys)];
    const { resolved } = await submissions.store({
      ownerId,
      adapter: ADAPTER,
      drafts: [],
      resolves,
      requestId: request.id,
    });
    return ok({ resolved: resolved ?? 0 });
  });
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

/** All drafts, or a refusal that names every bad item by its index. */
function toDrafts(items: Parameters<typeof toDraft>[0][]): TaskDraft[] {
  const results = items.map((item, index) => toDraft(item, `tasks/${index}/`));
  const details = results.flatMap((result) => (result.ok ? [] : result.details));
  if (details.length > 0) throw invalid(details.slice(0, MAX_DETAILS));
  return results.flatMap((result) => (result.ok ? [result.value] : []));
}

function readTextBody(request: FastifyRequest, _reply: unknown, done: () => void): void {
  if (typeof request.body === 'string') {
    const headers = request.headers as TextHeaders;
    const isForm = request.headers['content-type']?.startsWith(FORM) === true;
    request.body = isForm ? fromForm(request.body, headers) : fromText(request.body, headers);
  }
  done();
}

// RFC 7240: a list of preferences, each with parameters; unknown ones are ignored.
function wantsAsync({ headers: { prefer } }: FastifyRequest): boolean {
  return prefer !== undefined && /(?:^|,)\s*respond-async\s*(?:[,;]|$)/i.test(String(prefer));
}

// The Idempotency-Key header (IETF draft-ietf-httpapi-idempotency-key-header-07), quoted or bare.
function idempotencyOf(request: FastifyRequest): { idempotency?: { scope: string; key: string } } {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return {};
  return { idempotency: { scope: principalKey(signedIn(request)), key: readKey(String(header)) } };
}

// Its form was checked by the contract.
function readKey(header: string): string {
  return header.startsWith('"') ? header.slice(1, -1).replace(/\\(["\\])/g, '$1') : header;
}
