// Programs of other hubs that are run with arguments, and Alertmanager, which is run with a configuration.
import { BOTH, TEXT, TITLE, type Expected } from './pairs.ts';

/** Where a program finds Qinbox. */
export interface At {
  /** HOST:PORT. */
  host: string;
  url: string;
  tlsHost: string;
  token: string;
  /** The token's short form. */
  short: string;
}

export interface CommandPair {
  tool: string;
  /** As in {@link Pair}. */
  setting: string;
  program: 'gotify' | 'ntfy' | 'shoutrrr';
  args(at: At): string[];
  preset?: string;
  task: Expected;
}

export const PROGRAMS = {
  /** Of a path that the variable names: its module is on no proxy. */
  ntfy: { variable: 'NTFY', version: '' },
  gotify: { variable: 'GOTIFY_CLI', version: '2.3.2' },
  shoutrrr: 'github.com/nicholas-fedor/shoutrrr/shoutrrr@v0.13.2',
  alertmanager: 'github.com/prometheus/alertmanager/cmd/alertmanager@v0.28.1',
} as const;

const ntfy = { tool: 'ntfy command line', program: 'ntfy' } as const;
const shoutrrr = { tool: 'Shoutrrr (Watchtower and others)', program: 'shoutrrr' } as const;
const send = (url: string) => ['send', '-u', url, '-t', TITLE, '-m', TEXT];

export const commandPairs: readonly CommandPair[] = [
  {
    ...ntfy,
    setting: 'https://HOST/TOKEN as topic',
    args: ({ url, token }) => [
      'publish',
      '-t',
      TITLE,
      '-p',
      'urgent',
      '--click',
      'https://nas.example.com/',
      `${url}/${token}`,
      TEXT,
    ],
    task: { content: BOTH, priority: 'high', url: 'https://nas.example.com/' },
  },
  {
    ...ntfy,
    setting: 'https://HOST/any-topic with TOKEN as access token',
    args: ({ url, token }) => ['publish', '--token', token, `${url}/backups`, TEXT],
    task: { content: TEXT, priority: 'normal' },
  },
  {
    ...ntfy,
    setting: 'https://HOST/any-topic with TOKEN as password',
    args: ({ url, token }) => ['publish', '-u', `me:${token}`, `${url}/backups`, TEXT],
    task: { content: TEXT, priority: 'normal' },
  },
  {
    ...ntfy,
    setting: 'the same, for Markdown',
    args: ({ url, token }) => ['publish', '--markdown', `${url}/${token}`, `**${TEXT}**`],
    task: { content: TEXT, priority: 'normal' },
  },
  {
    tool: 'Gotify command line',
    program: 'gotify',
    setting: '--url https://HOST, and as --token the key that the intake shows for Gotify',
    args: ({ url, short }) => [
      'push',
      '--url',
      url,
      '--token',
      short,
      '--title',
      TITLE,
      '--priority',
      '9',
      '--clickUrl',
      'https://nas.example.com/',
      TEXT,
    ],
    task: { content: BOTH, priority: 'high', url: 'https://nas.example.com/' },
  },
  {
    ...shoutrrr,
    setting: 'ntfy://HOST/TOKEN',
    args: ({ host, token }) => send(`ntfy://${host}/${token}?scheme=http`),
    task: { content: BOTH, priority: 'normal' },
  },
  {
    ...shoutrrr,
    setting: 'ntfy://:TOKEN@HOST/any-topic',
    args: ({ host, token }) => send(`ntfy://:${token}@${host}/backups?scheme=http`),
    task: { content: BOTH, priority: 'normal' },
  },
  {
    ...shoutrrr,
    setting: 'gotify://HOST/KEY, with the key that the intake shows for Gotify',
    args: ({ host, short }) => send(`gotify://${host}/${short}?disabletls=yes`),
    task: { content: BOTH, priority: 'low' },
  },
  {
    ...shoutrrr,
    setting: 'mattermost://HOST/TOKEN, for an intake with the preset Slack-compatible',
    args: ({ host, token }) => ['send', '-u', `mattermost://${host}/${token}?disabletls=yes`, '-m', TEXT],
    preset: 'slack',
    task: { content: TEXT, priority: 'normal' },
  },
  {
    ...shoutrrr,
    setting: 'rocketchat://HOST/any/TOKEN',
    args: ({ tlsHost, token }) => ['send', '-u', `rocketchat://${tlsHost}/any/${token}`, '-m', TEXT],
    task: { content: TEXT, priority: 'normal' },
  },
  {
    ...shoutrrr,
    setting: 'opsgenie://HOST/TOKEN',
    args: ({ tlsHost, token }) => ['send', '-u', `opsgenie://${tlsHost}/${token}`, '-m', TEXT],
    task: { content: TEXT, priority: 'normal' },
  },
];

export interface ReceiverPair {
  setting: string;
  /** The receiver's lines in alertmanager.yml, and whether "resolved" takes the task out of the queue. */
  config(url: string, token: string): string;
  resolves: boolean;
}

export const receivers: readonly ReceiverPair[] = [
  {
    setting: 'webhook_configs, url: https://HOST/hooks/TOKEN',
    config: (url, token) => `webhook_configs: [{url: '${url}/hooks/${token}'}]`,
    resolves: true,
  },
  {
    setting: 'pagerduty_configs, url: https://HOST/v2/enqueue, routing_key: TOKEN',
    config: (url, token) => `pagerduty_configs: [{url: '${url}/v2/enqueue', routing_key: '${token}'}]`,
    resolves: true,
  },
  {
    setting: 'opsgenie_configs, api_url: https://HOST/, api_key: TOKEN',
    config: (url, token) => `opsgenie_configs: [{api_url: '${url}/', api_key: '${token}'}]`,
    resolves: true,
  },
  {
    setting: 'slack_configs, api_url: https://HOST/services/T0/B0/TOKEN',
    config: (url, token) =>
      `slack_configs: [{api_url: '${url}/services/T0/B0/${token}', channel: '#x', send_resolved: true}]`,
    resolves: false,
  },
  {
    setting: 'discord_configs, webhook_url: https://HOST/api/webhooks/0/TOKEN',
    config: (url, token) => `discord_configs: [{webhook_url: '${url}/api/webhooks/0/${token}'}]`,
    resolves: false,
  },
];
