// The protocols of other hubs that intakes understand.
import { appriseApi } from './apprise.ts';
import { discordWebhook } from './discord.ts';
import { gotifyMessage } from './gotify.ts';
import { ntfyPublish } from './ntfy.ts';
import { opsgenieAlerts } from './opsgenie.ts';
import { pagerdutyEvents } from './pagerduty.ts';
import type { Protocol } from './protocol.ts';
import { slackWebhook } from './slack.ts';

export const protocols: readonly Protocol[] = [
  ntfyPublish,
  gotifyMessage,
  slackWebhook,
  discordWebhook,
  pagerdutyEvents,
  opsgenieAlerts,
  appriseApi,
];
