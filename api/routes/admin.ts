// What administrators see and do.
import type { FastifyInstance } from 'fastify';
import { adminRoutes, type Rejected as RejectedBody } from '#core/contract/index.ts';
import type { RejectedSubmission } from '#core/domain/rejected-submission.ts';
import type { Parts } from '../parts.ts';
import { isoTime, presentUser } from '../present.ts';
import { PRODUCT } from '../product.ts';
import { readiness } from '../readiness.ts';
import { addRoute, ok } from '../route.ts';

/** Adds every `/admin` call. */
export function addAdminRoutes(app: FastifyInstance, parts: Parts): void {
  const { clock, config, live, metrics, queue, rejected, storage } = parts;
  const startedAt = isoTime(clock.now());

  addRoute(app, adminRoutes.overview, async () => {
    const [states, count, users, queueStates] = await Promise.all([
      readiness(parts),
      rejected.count(),
      storage.accounts.listUsers(),
      queue.states().catch(() => []),
    ]);
    return ok({
      overview: {
        version: PRODUCT.version,
        size: config.production === null ? ('embedded' as const) : ('production' as const),
        startedAt,
        parts: states,
        queue: queueStates.map((state) => ({ ...state, oldestMs: Math.round(state.oldestMs) })),
        rejected: count,
        liveConnections: live.size(),
        tasksCreated: metrics.tasksCreated(),
        users: users.map(presentUser),
      },
    });
  });

  addRoute(app, adminRoutes.rejected, async () => {
    const emails = new Map((await storage.accounts.listUsers()).map(({ id, email }) => [id, email]));
    return ok({ rejected: (await rejected.list()).map((item) => present(item, emails)) });
  });

  addRoute(app, adminRoutes.retry, async (request) => {
    await rejected.retry(request.params.id);
    return ok();
  });

  addRoute(app, adminRoutes.discard, async (request) => {
    await rejected.discard(request.params.id);
    return ok();
  });
}

function present(
  { id, submission, code, reason, attempts, rejectedAt }: RejectedSubmission,
  emails: Map<string, string>,
): RejectedBody {
  const { adapter, ownerId, inserts, at, requestId } = submission;
  return {
    id,
    adapter,
    owner: emails.get(ownerId) ?? null,
    content: inserts[0]?.draft.content ?? '',
    tasks: inserts.length,
    code,
    reason,
    attempts,
    submittedAt: isoTime(at),
    rejectedAt: isoTime(rejectedAt),
    requestId,
  };
}
