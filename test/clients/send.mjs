// Published clients of other hubs, unmodified, each told nothing but an address and a token: as send.py, in
// JavaScript. MODULES names the folder with their packages, UPTIME_KUMA the sources of Uptime Kuma.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [TITLE, TEXT, LINK] = ['Backup of nas-2', 'The disk is full', 'https://nas.example.com/disks'];
const { MODULES = '', UPTIME_KUMA = '' } = process.env;
const require = createRequire(join(MODULES, 'package.json'));

async function slackWebhook({ url, token }) {
  const { IncomingWebhook } = require('@slack/webhook');
  const answer = await new IncomingWebhook(`${url}/services/T0/B0/${token}`).send({
    text: TITLE,
    attachments: [{ color: 'danger', title: TEXT, title_link: LINK }],
  });
  return answer.text === 'ok';
}

function pagerduty(act) {
  return async ({ tls, token }) => {
    const { event } = require('@pagerduty/pdjs');
    const { host: server } = new URL(tls);
    const payload = { summary: TEXT, source: 'nas-2', severity: 'critical' };
    for (const event_action of act) {
      const answer = await event({
        server,
        data: { routing_key: token, event_action, dedup_key: 'nas-2', payload },
      });
      if (answer.status !== 202 || answer.data.dedup_key !== 'nas-2') return false;
    }
    return true;
  };
}

async function gotify({ url, short }) {
  const { gotify: send } = require('gotify');
  await send({ server: url, app: short, title: TITLE, message: TEXT, priority: 8 });
  return true;
}

async function ntfy({ url, token }) {
  const { publish } = await import(pathToFileURL(join(MODULES, 'node_modules', 'ntfy', 'dist', 'index.js')));
  const answer = await publish({
    server: url,
    topic: token,
    title: TITLE,
    message: TEXT,
    priority: 5,
    tags: ['nas'],
  });
  return answer.event === 'message' && answer.message === TEXT;
}

/** A monitor of Uptime Kuma that is down. */
const monitor = { name: 'nas-2', pathName: 'nas-2', type: 'http', url: LINK, tags: [] };
const down = {
  status: 0,
  msg: TEXT,
  time: '2026-11-21 09:00:00',
  timezone: 'UTC',
  localDateTime: '2026-11-21 09:00',
};

function uptimeKuma(provider, settings) {
  return async (at) => {
    // As its server does at its start.
    require('dayjs').extend(require('dayjs/plugin/utc'));
    const Provider = require(join(UPTIME_KUMA, 'server', 'notification-providers', `${provider}.js`));
    const said = await new Provider().send(settings(at), `[nas-2] [🔴 Down] ${TEXT}`, monitor, down);
    return said === 'Sent Successfully.';
  };
}

const CLIENTS = {
  '@slack/webhook': slackWebhook,
  'pdjs trigger': pagerduty(['trigger']),
  'pdjs resolve': pagerduty(['trigger', 'acknowledge', 'resolve']),
  'gotify npm': gotify,
  'ntfy npm': ntfy,
  'kuma ntfy': uptimeKuma('ntfy', ({ url, token }) => ({
    ntfyserverurl: url,
    ntfytopic: token,
    ntfyPriority: 4,
    ntfyAuthenticationMethod: 'none',
  })),
  'kuma gotify': uptimeKuma('gotify', ({ url, short }) => ({
    gotifyserverurl: url,
    gotifyapplicationToken: short,
  })),
  'kuma discord': uptimeKuma('discord', ({ url, token }) => ({
    discordWebhookUrl: `${url}/api/webhooks/0/${token}`,
  })),
  'kuma mattermost': uptimeKuma('mattermost', ({ url, token }) => ({
    mattermostWebhookUrl: `${url}/hooks/${token}`,
  })),
  'kuma webhook': uptimeKuma('webhook', ({ url, token }) => ({
    webhookURL: `${url}/hooks/${token}`,
    webhookContentType: 'json',
  })),
};

for await (const line of createInterface({ input: process.stdin })) {
  const at = JSON.parse(line);
  // Whatever a client throws is its verdict.
  const answer = await CLIENTS[at.client](at).then(
    (ok) => ({ ok, said: '' }),
    (fault) => ({ ok: false, said: String(fault).slice(0, 300) }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
