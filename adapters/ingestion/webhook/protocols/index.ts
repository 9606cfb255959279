// The protocols of other hubs that intakes understand.
import { appriseApi } from './apprise.ts';
import { discordWebhook } from './discord.ts';
import { gotifyMessage } from './gotify.ts';
import { gotifyClient } from './gotify-client.ts';
import { ntfyPublish } from './ntfy.ts';
import { ntfySubscribe } from './ntfy-subscribe.ts';
import { opsgenieAlerts } from './opsgenie.ts';
import { pagerdutyEvents } from './pagerduty.ts';
import type { Protocol } from './protocol.ts';
import { slackWebhook } from './slack.ts';
import type { SubscriberProtocol } from './subscriber.ts';

export const protocols: readonly Protocol[] = [
  ntfyPublish,
  gotifyMessage,
  slackWebhook,
  discordWebhook,
  pagerdutyEvents,
  opsgenieAlerts,
  appriseApi,
];

/** Those whose clients are shown queues. */
export const subscriberProtocols: readonly SubscriberProtocol[] = [ntfySubscribe, gotifyClient];
