// The known senders, in the order of the gallery.
import { alertmanager } from './alertmanager/preset.ts';
import { apprise } from './apprise/preset.ts';
import { azureMonitor } from './azure-monitor/preset.ts';
import { cloudevents } from './cloudevents/preset.ts';
import { cloudwatch } from './cloudwatch/preset.ts';
import { discord } from './discord/preset.ts';
import { github } from './github/preset.ts';
import { gitlab } from './gitlab/preset.ts';
import { gotify } from './gotify/preset.ts';
import { grafana } from './grafana/preset.ts';
import { ntfy } from './ntfy/preset.ts';
import { opsgenie } from './opsgenie/preset.ts';
import { pagerduty } from './pagerduty/preset.ts';
import { postmark } from './postmark/preset.ts';
import type { Preset } from './preset.ts';
import { sentry } from './sentry/preset.ts';
import { slack } from './slack/preset.ts';
import { stripe } from './stripe/preset.ts';
import { uptimeKuma } from './uptime-kuma/preset.ts';

/** Any sender: the summary or the owner's mapping reads its payload. */
const generic: Preset = {
  id: 'generic',
  title: 'Anything else',
  description:
    'Any body: its title, message and most telling fields are picked out; or write your own mapping.',
  scheme: 'none',
  setup: 'Send a POST with JSON, a form, XML or text to the address: curl -d "backup failed" ADDRESS',
  events: [],
  read: () => null,
  sample: {
    headers: { 'content-type': 'application/json' },
    body: {
      title: 'Backup failed',
      host: 'nas-2',
      reason: 'The disk is full',
      url: 'https://example.com/backups/17',
    },
  },
};

/** All presets; the first is the default. */
export const presets: readonly Preset[] = [
  generic,
  github,
  gitlab,
  alertmanager,
  grafana,
  uptimeKuma,
  cloudwatch,
  azureMonitor,
  sentry,
  pagerduty,
  opsgenie,
  stripe,
  slack,
  discord,
  ntfy,
  gotify,
  apprise,
  postmark,
  cloudevents,
];
