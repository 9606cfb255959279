// What Settings shows and does of Slack. Slack itself talks to the adapter, not to these calls.
import type { FastifyInstance } from 'fastify';
import { slackRoutes, type SlackAccount, type SlackChannel } from '#core/contract/index.ts';
import { isAdministrator } from '#core/domain/account.ts';
import { SLACK, slackModeOf } from '#core/domain/links.ts';
import type { KeptAccount, KeptChannel } from '#core/services/links.ts';
import { session, signedIn } from '../plugins/caller.ts';
import type { Parts } from '../parts.ts';
import { isoTime } from '../present.ts';
import { addRoute, ok } from '../route.ts';

/** Adds every `/slack` call. */
export function addSlackRoutes(app: FastifyInstance, { accounts, adapters, links, settings }: Parts): void {
  const own = adapters.loaded.find(({ adapter }) => adapter.id === SLACK)?.config ?? null;
  const mode = own === null ? null : slackModeOf(own);
  const offersInstall =
    own !== null && typeof own['clientId'] === 'string' && typeof own['clientSecret'] === 'string';

  addRoute(app, slackRoutes.status, async (request) => {
    const caller = signedIn(request);
    const isAdmin = caller.kind === 'session' && isAdministrator(caller.user);
    const [linked, channels] = await Promise.all([
      links.accountsOf(caller.ownerId),
      isAdmin ? links.channels() : null,
    ]);
    return ok({
      slack: {
        configured: mode !== null,
        mode,
        installUrl: offersInstall ? `${settings.publicUrl}/slack/install` : null,
        accounts: linked.map(shownAccount),
        channels: channels?.map(shownChannel) ?? null,
      },
    });
  });

  addRoute(app, slackRoutes.code, async (request) => {
    const { ownerId, sessionId } = session(request);
    const { code, expiresAt } = await accounts.whileSignedIn(
      sessionId,
      () => links.createCode(ownerId),
      (made) => links.forgetCode(ownerId, made.code),
    );
    return ok({ code, expiresAt: isoTime(expiresAt) });
  });

  addRoute(app, slackRoutes.unlink, async (request) => {
    await links.unlink(signedIn(request).ownerId, request.params.id);
    return ok();
  });

  addRoute(app, slackRoutes.tie, async (request) => {
    const { channel, name, owner } = request.body;
    return ok({
      channel: shownChannel(await links.tie({ channel, owner, ...(name === undefined ? {} : { name }) })),
    });
  });

  addRoute(app, slackRoutes.untie, async (request) => {
    await links.untie(request.params.id);
    return ok();
  });
}

function shownAccount({ id, teamId, teamName, userId, userName, linkedAt }: KeptAccount): SlackAccount {
  return { id, team: teamName ?? teamId, user: userName ?? userId, linked_at: isoTime(linkedAt) };
}

function shownChannel({ channelId, name, ownerEmail, tiedAt }: KeptChannel): SlackChannel {
  return { id: channelId, name, owner: ownerEmail, tied_at: isoTime(tiedAt) };
}
