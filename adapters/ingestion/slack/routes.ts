// The API's calls on Slack, for Settings. Slack itself sends to receiver.ts.
import { route, type AdapterRoutes } from '#core/ports/adapter/routes.ts';
import { createAccountLinks, type StoredAccount, type StoredChannel } from './records/account-links.ts';
import { SlackAccount, SlackChannel, slackRoutes, SlackStatus } from './contract.ts';
import { isRefused } from './records/installations.ts';
import type { SlackConfig } from './settings.ts';

/** What people can do about an app that Slack refuses. */
const REFUSED =
  'Slack takes nothing from Qinbox in this workspace: the app was removed, or its token is not good any more. Tasks still come in; answers, the Home tab and steps of escalations do not. Its operator adds the app again.';

export const slackApi: AdapterRoutes<SlackConfig> = {
  tag: { name: 'Slack', description: 'Your accounts in Slack, and channels whose tasks go to one owner.' },
  schemas: [SlackAccount, SlackChannel, SlackStatus],

  create(context) {
    const { config, settings } = context;
    const links = createAccountLinks(context, config !== null && config.botToken !== null);
    const mode = modeOf(config);
    const offersInstall = config !== null && config.clientId !== null && config.clientSecret !== null;

    return [
      route(slackRoutes.status, async ({ caller }) => {
        const [linked, channels] = await Promise.all([
          links.accountsOf(caller.ownerId),
          caller.isAdministrator ? links.channels() : null,
        ]);
        return {
          slack: {
            configured: mode !== null,
            mode,
            installUrl: offersInstall ? `${settings.publicUrl}/slack/install` : null,
            accounts: await Promise.all(
              linked.map(async (account) =>
                presentAccount(account, (await isRefused(context, account.teamId)) ? REFUSED : null),
              ),
            ),
            channels: channels?.map(presentChannel) ?? null,
          },
        };
      }),

      route(slackRoutes.code, async ({ caller }) => {
        const { code, expiresAt } = await caller.whileSignedIn(
          () => links.createCode(caller.ownerId),
          (made) => links.removeCode(caller.ownerId, made.code),
        );
        return { code, expiresAt: isoTime(expiresAt) };
      }),

      route(slackRoutes.unlink, async ({ caller, params }) => {
        await links.unlink(caller.ownerId, params.id);
        return {};
      }),

      route(slackRoutes.tie, async ({ body }) => ({
        channel: presentChannel(await links.tie(body)),
      })),

      route(slackRoutes.untie, async ({ params }) => {
        await links.untie(params.id);
        return {};
      }),
    ];
  },
};

/** Socket Mode needs no address that Slack can reach. */
function modeOf(config: SlackConfig | null): SlackStatus['mode'] {
  if (config === null) return null;
  if (config.appToken !== null) return 'socket';
  return config.signingSecret === null ? null : 'http';
}

function presentAccount(account: StoredAccount, fault: string | null): SlackAccount {
  const { id, teamId, teamName, userId, userName, linkedAt } = account;
  return { id, team: teamName ?? teamId, user: userName ?? userId, linked_at: isoTime(linkedAt), fault };
}

function presentChannel({ channelId, name, ownerEmail, tiedAt }: StoredChannel): SlackChannel {
  return { id: channelId, name, owner: ownerEmail, tied_at: isoTime(tiedAt) };
}

function isoTime(at: number): string {
  return new Date(at).toISOString();
}
