// Tools whose own code sends, as they do it: what comes of it. docs/senders.md is made of this table, too.
import { LINK, TEXT, urgent, usual, type Expected, type Pair } from './pairs.ts';

const kuma = (provider: string, setting: string, task: Expected, preset = 'generic'): Omit<Pair, 'by'> => ({
  tool: 'Uptime Kuma',
  setting,
  client: `kuma ${provider}`,
  preset,
  version: 'Uptime Kuma 2.5.3',
  task,
});
const isDown = `[nas-2] [🔴 Down] ${TEXT}`;

/** Those of Uptime Kuma's own code, in send.mjs, where its sources are given. */
export const kumaPairs: readonly Pair[] = [
  kuma('ntfy', 'ntfy: https://HOST as server, TOKEN as topic', {
    ...urgent(`🔴 nas-2 Down [Uptime-Kuma]\n${TEXT}`),
    url: LINK,
  }),
  kuma('gotify', 'Gotify: https://HOST as server, and the key that the intake shows for Gotify', {
    ...urgent(`Uptime-Kuma\n${isDown}`),
  }),
  kuma(
    'discord',
    'Discord: https://HOST/api/webhooks/0/TOKEN',
    urgent(
      `❌ Your service nas-2 went down. ❌\nService Name: nas-2\nService URL: ${LINK}\n` +
        `Went Offline: 2026-11-21 09:00\nTime (UTC): 2026-11-21 09:00\nError: ${TEXT}`,
    ),
  ),
  kuma(
    'mattermost',
    'Mattermost: https://HOST/hooks/TOKEN, for an intake with the preset Slack-compatible',
    { ...urgent(`nas-2 service went down.\nError: ${TEXT}\nTime (UTC): 2026-11-21 09:00`), url: LINK },
    'slack',
  ),
  kuma('webhook', 'Webhook: https://HOST/hooks/TOKEN', { ...urgent(`nas-2 is down: ${TEXT}`), url: LINK }),
].map((pair) => ({ ...pair, by: 'javascript' }));

const healthchecks = (kind: string, setting: string, task: Expected, preset = 'generic'): Pair => ({
  tool: 'Healthchecks',
  setting,
  by: 'healthchecks',
  client: kind,
  preset,
  version: 'Healthchecks 3.13',
  task,
});
const MISSED = '“Backup of nas-2” is DOWN.';
const facts = 'Project: Home\nPeriod: 1 day\nTotal Pings: 0\nLast Ping: Never';

/** Those of Healthchecks' own code, in healthchecks.py, where its sources are given. */
export const healthchecksPairs: readonly Pair[] = [
  healthchecks(
    'ntfy',
    'ntfy: https://HOST as server, TOKEN as topic',
    urgent(`🔴 Backup of nas-2 is DOWN\n${facts}`),
  ),
  healthchecks(
    'gotify',
    'Gotify: https://HOST as server, and the key that the intake shows for Gotify',
    usual('Backup of nas-2 is DOWN\n🔴 The check Backup of nas-2 is DOWN.'),
  ),
  healthchecks('slack', 'Slack: https://HOST/services/T0/B0/TOKEN', urgent(`${MISSED}\n${facts}`)),
  healthchecks('discord', 'Discord: https://HOST/api/webhooks/0/TOKEN', urgent(`${MISSED}\n${facts}`)),
  healthchecks(
    'mattermost',
    'Mattermost: https://HOST/hooks/TOKEN, for an intake with the preset Slack-compatible',
    urgent(`${MISSED}\n${facts}`),
    'slack',
  ),
];
