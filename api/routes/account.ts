// Calls on the own account: how much is stored of it, its file, and its end.
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { accountRoutes, MAX_ACCOUNT_FILE_BYTES } from '#core/contract/index.ts';
import { newerFileFault } from '#core/services/account/import.ts';
import { session } from '../plugins/caller.ts';
import { accountFile, accountFileName, countsOf } from '../present/account-file.ts';
import { addRoute, ok } from '../route.ts';
import type { Parts } from '../services/services.ts';

type Deps = Pick<Parts, 'accounts' | 'clock' | 'deletion' | 'exports' | 'importAccount' | 'intakeEncryption'>;

/** Adds every `/account` call. */
export function addAccountRoutes(app: FastifyInstance, deps: Deps): void {
  const { accounts, clock, deletion, exports, importAccount } = deps;
  const isAllowed = (sessionId: string) => async () => (await accounts.liveSession(sessionId)) !== null;

  addRoute(app, accountRoutes.overview, async (request) => {
    const { ownerId, user } = session(request);
    const [contents, tasks, obstacle] = await Promise.all([
      exports.contents(ownerId),
      exports.countTasks(ownerId),
      deletion.obstacle(user),
    ]);
    const { devices } = contents;
    return ok({ account: { email: user.email, counts: countsOf(contents, tasks), devices, obstacle } });
  });

  addRoute(app, accountRoutes.export, async (request, reply) => {
    const { ownerId, sessionId } = session(request);
    const contents = await exports.contents(ownerId);
    const { tasks, end } = exports.begin(ownerId, isAllowed(sessionId));
    const text = Readable.from(accountFile(deps, contents, tasks, clock.now()));
    text.once('close', end);
    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="${accountFileName(clock.now())}"`)
      .send(text);
  });

  addRoute(
    app,
    accountRoutes.import,
    async (request) => {
      const { ownerId, sessionId } = session(request);
      const { dryRun = false } = request.query;
      const options = { dryRun, isAllowed: isAllowed(sessionId) };
      return ok({ import: await importAccount(ownerId, request.body, options) });
    },
    {
      bodyLimit: MAX_ACCOUNT_FILE_BYTES,
      preValidation: (request, _reply, done) => done(newerFileFault(request.body) ?? undefined),
    },
  );

  addRoute(app, accountRoutes.delete, async (request) => {
    await deletion.delete(session(request).user, request.body);
    return ok();
  });
}
