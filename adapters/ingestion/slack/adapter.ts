// Slack: people add, see and finish tasks there. Bolt is loaded only where Slack is set up.
import { Type } from 'typebox';
import { ConfigError } from '#core/config-error.ts';
import { LINK_KINDS, SLACK } from './records/link-records.ts';
import { defineAdapter } from '#core/ports/adapter/adapter.ts';
import { slackApi } from './routes.ts';
import type { SlackConfig } from './settings.ts';

const secret = (description: string) => Type.Optional(Type.String({ minLength: 8, description }));
const token = (prefix: string, description: string) =>
  Type.Optional(Type.String({ pattern: `^${prefix}`, description }));

export default defineAdapter<SlackConfig>({
  id: SLACK,
  title: 'Slack',
  roles: ['slack'],
  source: 'slack',
  configSchema: Type.Object({
    signingSecret: secret('must be the signing secret of your Slack app (Basic Information)'),
    botToken: token('xoxb-', 'must be the bot token of your Slack app, beginning with xoxb-'),
    appToken: token('xapp-', 'must be an app-level token of your Slack app, beginning with xapp-'),
    apiUrl: Type.String({
      pattern: '^https?://[^/]+',
      default: 'https://slack.com/api/',
      description: "must be the address of Slack's Web API, for example https://slack.com/api/",
    }),
    clientId: Type.Optional(
      Type.String({ minLength: 1, description: 'must be the client id of your Slack app' }),
    ),
    clientSecret: secret('must be the client secret of your Slack app (Basic Information)'),
    reaction: Type.String({
      pattern: '^[a-z0-9_+-]{1,100}$',
      default: 'inbox_tray',
      description: 'must be the name of an emoji without its colons, for example inbox_tray',
    }),
  }),
  environment: {
    signingSecret: 'SLACK_SIGNING_SECRET',
    botToken: 'SLACK_BOT_TOKEN',
    appToken: 'SLACK_APP_TOKEN',
    apiUrl: 'SLACK_API_URL',
    clientId: 'SLACK_CLIENT_ID',
    clientSecret: 'SLACK_CLIENT_SECRET',
    reaction: 'SLACK_REACTION',
  },
  secretFields: ['signingSecret', 'botToken', 'appToken', 'clientSecret'],
  isOn: ({ signingSecret, appToken, botToken, clientId }) =>
    [signingSecret, appToken, botToken, clientId].some((given) => given !== null),
  routes: slackApi,
  accessRecords: [LINK_KINDS.code, LINK_KINDS.account],

  async start(context) {
    checkSettings(context.config);
    const { startSlack } = await import('./start.ts');
    return startSlack(context);
  },
});

// An incomplete setup would look like a working one until somebody misses a task.
function checkSettings({ signingSecret, botToken, appToken, clientId, clientSecret }: SlackConfig): void {
  if (signingSecret === null && appToken === null)
    throw new ConfigError(
      'SLACK_SIGNING_SECRET',
      'must be set, because Slack is set up: without it nobody can tell what Slack has sent. Or use Socket Mode, with SLACK_APP_TOKEN',
    );
  if ((clientId === null) !== (clientSecret === null))
    throw new ConfigError(
      clientId === null ? 'SLACK_CLIENT_ID' : 'SLACK_CLIENT_SECRET',
      'must be set too: SLACK_CLIENT_ID and SLACK_CLIENT_SECRET go together',
    );
  if (botToken === null && clientId === null)
    throw new ConfigError(
      'SLACK_BOT_TOKEN',
      'must be set, because Slack is set up. Or let workspaces install the app, with SLACK_CLIENT_ID and SLACK_CLIENT_SECRET',
    );
}
