// Which published client is pointed at Qinbox in which way, and what must come of it. docs/senders.md is made
// of this table: `node scripts/senders-doc.ts`.

/** The task that one message makes, sent once or twice. */
export interface Expected {
  content: string;
  priority: 'high' | 'normal' | 'low';
  url?: string;
  /** Its id says that the second is the first once more: it does not count. */
  hasId?: true;
}

/** The task of the API after its message was sent twice. */
export function afterTwo({ url, hasId, ...said }: Expected): object {
  return { ...said, occurrences: hasId === true ? 1 : 2, metadata: url === undefined ? {} : { url } };
}

export interface Pair {
  /** The tool as its users call it. */
  tool: string;
  /** What to paste into it; HOST and TOKEN are those of the intake's address. */
  setting: string;
  /** The client of send.py or send.mjs that proves it, and its version. */
  by: 'python' | 'javascript' | 'healthchecks';
  client: string;
  version: string;
  /** Of the intake; `generic` unless its tool needs another. */
  preset?: string;
  /** Null when what was sent is over again, and nothing is left in the queue. */
  task: Expected | null;
}

export const TITLE = 'Backup of nas-2';
export const TEXT = 'The disk is full';
export const LINK = 'https://nas.example.com/disks';
export const BOTH = `${TITLE}\n${TEXT}`;
const APPRISE = { tool: 'Apprise', version: 'apprise 2.2.0' };
const PAGERDUTY = { tool: 'PagerDuty Events SDK', version: 'pagerduty 7.2.0 (Python)' };
const NTFY = { tool: 'ntfy clients', version: 'python-ntfy 0.11.4' };
const OPSGENIE = { tool: 'Opsgenie SDK', version: 'opsgenie-sdk 2.1.5 (Python)' };
export const usual = (content = BOTH): Expected => ({ content, priority: 'normal' });
export const urgent = (content = BOTH): Expected => ({ content, priority: 'high' });

const event: Expected = {
  content: `Disk full: ${TEXT} (/nas-2)\ntitle: ${TITLE}\nseverity: critical`,
  priority: 'high',
  hasId: true,
};

/** Those of send.py. */
const pythonPairs: readonly Omit<Pair, 'by'>[] = [
  { ...APPRISE, setting: 'ntfy://HOST/TOKEN', client: 'apprise ntfy', task: usual() },
  {
    ...APPRISE,
    setting: 'ntfy://TOKEN@HOST/backups?auth=token',
    client: 'apprise ntfy token',
    task: usual(),
  },
  { ...APPRISE, setting: 'ntfy://me:TOKEN@HOST/backups', client: 'apprise ntfy password', task: usual() },
  { ...APPRISE, setting: 'gotify://HOST/TOKEN', client: 'apprise gotify', task: usual() },
  { ...APPRISE, setting: 'gotify://HOST/gotify/TOKEN', client: 'apprise gotify prefix', task: usual() },
  {
    ...APPRISE,
    setting: 'mmost://HOST/TOKEN, for an intake with the preset Slack-compatible',
    client: 'apprise mmost',
    preset: 'slack',
    task: usual(),
  },
  { ...APPRISE, setting: 'apprise://HOST/TOKEN', client: 'apprise apprise', task: urgent() },
  { ...APPRISE, setting: 'json://HOST/hooks/TOKEN', client: 'apprise json', task: urgent() },
  { ...APPRISE, setting: 'xml://HOST/hooks/TOKEN', client: 'apprise xml', task: urgent() },
  { ...APPRISE, setting: 'form://HOST/hooks/TOKEN', client: 'apprise form', task: urgent() },
  {
    tool: 'Gotify clients',
    setting: 'https://HOST as URL, and as app token the key that the intake shows for Gotify',
    client: 'gotify',
    version: 'gotify 0.6.0 (Python)',
    task: urgent(),
  },
  {
    ...NTFY,
    setting: 'https://HOST as server, TOKEN as topic',
    client: 'python-ntfy',
    task: { ...urgent(`💾 ${BOTH}`), url: LINK },
  },
  {
    ...NTFY,
    setting: 'https://HOST as server, any topic, TOKEN as password',
    client: 'python-ntfy password',
    task: usual(TEXT),
  },
  {
    tool: 'Slack webhooks',
    setting: 'https://HOST/services/T0/B0/TOKEN as webhook URL',
    client: 'slackweb',
    version: 'slackweb 1.0.5 (Python)',
    task: { ...urgent(), url: LINK },
  },
  {
    tool: 'Mattermost webhooks',
    setting: 'https://HOST as URL, TOKEN as key, for an intake with the preset Slack-compatible',
    client: 'matterhook',
    version: 'matterhook 0.3 (Python)',
    preset: 'slack',
    task: usual(`${TITLE}: ${TEXT}`),
  },
  {
    tool: 'PagerDuty Events SDK, the older one',
    setting: 'https://HOST as URL, TOKEN as routing key',
    client: 'pdpyras trigger',
    version: 'pdpyras 5.4.1 (Python)',
    task: usual(`${TEXT}\nnas-2`),
  },
  {
    tool: 'PagerDuty Events SDK, the older one',
    setting: 'the same: what is resolved is acknowledged',
    client: 'pdpyras resolve',
    version: 'pdpyras 5.4.1 (Python)',
    task: null,
  },
  {
    tool: 'Slack SDK',
    setting: 'https://HOST/services/T0/B0/TOKEN as webhook URL',
    client: 'slack_sdk',
    version: 'slack_sdk 3.47.0 (Python)',
    task: { ...usual(`${BOTH} Look`), url: LINK },
  },
  {
    tool: 'Discord webhooks',
    setting: 'https://HOST/api/webhooks/0/TOKEN as webhook URL',
    client: 'discord-webhook',
    version: 'discord-webhook 1.4.1 (Python)',
    task: { ...urgent(), url: LINK },
  },
  {
    tool: 'Discord webhooks, with a file',
    setting: 'https://HOST/api/webhooks/0/TOKEN as webhook URL',
    client: 'discord-webhook file',
    version: 'discord-webhook 1.4.1 (Python)',
    task: usual(TITLE),
  },
  {
    ...PAGERDUTY,
    setting: 'https://HOST as base URL, TOKEN as routing key',
    client: 'pagerduty trigger',
    task: { ...urgent(`${TEXT}\nnas-2`), url: LINK },
  },
  {
    ...PAGERDUTY,
    setting: 'the same: what is resolved is acknowledged',
    client: 'pagerduty resolve',
    task: null,
  },
  {
    ...PAGERDUTY,
    setting: 'the same, for changes',
    client: 'pagerduty change',
    task: { content: `${TITLE}\nnas-2`, priority: 'low' },
  },
  {
    tool: 'CloudEvents',
    setting: 'https://HOST/hooks/TOKEN as address, structured mode',
    client: 'cloudevents structured',
    version: 'cloudevents 2.2.0 (Python)',
    task: { content: event.content, priority: event.priority },
  },
  {
    tool: 'CloudEvents',
    setting: 'the same, binary mode',
    client: 'cloudevents binary',
    version: 'cloudevents 2.2.0 (Python)',
    task: event,
  },
  {
    ...OPSGENIE,
    setting: 'https://HOST as host, TOKEN as API key',
    client: 'opsgenie create',
    task: { ...urgent(TEXT), url: LINK },
  },
  {
    ...OPSGENIE,
    setting: 'the same: what is closed is acknowledged',
    client: 'opsgenie close',
    task: null,
  },
];

/** Those of send.mjs. */
const javascriptPairs: readonly Omit<Pair, 'by'>[] = [
  {
    tool: 'Slack SDK',
    setting: 'https://HOST/services/T0/B0/TOKEN as webhook URL',
    client: '@slack/webhook',
    version: '@slack/webhook 8.0.2 (JavaScript)',
    task: { ...urgent(), url: LINK },
  },
  {
    tool: 'PagerDuty Events SDK',
    setting: 'HOST as server, TOKEN as routing key',
    client: 'pdjs trigger',
    version: '@pagerduty/pdjs 2.2.4 (JavaScript)',
    task: urgent(`${TEXT}\nnas-2`),
  },
  {
    tool: 'PagerDuty Events SDK',
    setting: 'the same: what is resolved is acknowledged',
    client: 'pdjs resolve',
    version: '@pagerduty/pdjs 2.2.4 (JavaScript)',
    task: null,
  },
  {
    tool: 'Gotify clients',
    setting: 'https://HOST as server, and as app the key that the intake shows for Gotify',
    client: 'gotify npm',
    version: 'gotify 1.1.0 (JavaScript)',
    task: urgent(),
  },
  {
    tool: 'ntfy clients',
    setting: 'https://HOST as server, TOKEN as topic',
    client: 'ntfy npm',
    version: 'ntfy 1.15.6 (JavaScript)',
    task: urgent(),
  },
];

/** A client that shows the queue. */
export interface ReaderPair {
  tool: string;
  setting: string;
  /** Of send.py. */
  client: string;
  version: string;
}

/** Those of send.py that show the queue. */
export const readerPairs: readonly ReaderPair[] = [
  {
    tool: 'ntfy clients',
    setting: 'https://HOST as server, inbox as topic, any name and an API key as password',
    client: 'shows python-ntfy',
    version: 'python-ntfy 0.11.4',
  },
  {
    tool: 'Gotify clients',
    setting: 'https://HOST as URL, an API key as client token; deleting acknowledges',
    client: 'shows gotify',
    version: 'gotify 0.6.0 (Python)',
  },
  {
    tool: 'Gotify clients',
    setting: 'the same, for the stream',
    client: 'shows gotify stream',
    version: 'gotify 0.6.0 (Python)',
  },
];

export const pairs: readonly Pair[] = [
  ...pythonPairs.map((pair) => ({ ...pair, by: 'python' as const })),
  ...javascriptPairs.map((pair) => ({ ...pair, by: 'javascript' as const })),
];
