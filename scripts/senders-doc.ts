// Writes docs/senders.md from the tables that the tests of published clients run:
// `node scripts/senders-doc.ts`. A test compares the two.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { protocols, subscriberProtocols } from '#adapters/ingestion/webhook/protocols/index.ts';
import { commandPairs, PROGRAMS, receivers } from '../test/clients/commands.ts';
import { pairs, readerPairs } from '../test/clients/pairs.ts';
import { healthchecksPairs, kumaPairs } from '../test/clients/tools.ts';

const versionOf = (program: keyof typeof PROGRAMS) => {
  const source = PROGRAMS[program];
  const version = typeof source === 'string' ? source.split('@')[1]?.replace(/^v/, '') : source.version;
  return `${program} ${version ?? ''}`.trim();
};

/** Addresses are code: pages make links of those that are not, and these lead nowhere. */
function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ').replaceAll(/[a-z]+:\/\/[^\s,]+/g, '`$&`')} |`;
}

/** The page, as it should be. */
export function sendersPage(): string {
  const rows = [
    ...[...pairs, ...kumaPairs, ...healthchecksPairs].map(({ tool, setting, version }) => [
      tool,
      setting,
      version,
    ]),
    ...commandPairs.map(({ tool, setting, program }) => [tool, setting, versionOf(program)]),
    ...receivers.map(({ setting }) => ['Alertmanager', setting, versionOf('alertmanager')]),
  ].toSorted(([a = ''], [b = '']) => a.localeCompare(b));
  return `# Tools that notify already

A tool that already notifies through another hub notifies Qinbox when it is given another address: nothing else of it changes. Make an [intake](adapters/webhook.md)
for it. Its address is \`https://HOST/hooks/TOKEN\`: HOST is where your Qinbox is, and the token stands for topic, key or webhook, wherever the tool asks
for one. The page of the intake shows each of these addresses, with a button to copy it.

With https, the addresses of Apprise begin with \`ntfys://\`, \`gotifys://\`, \`mmosts://\`, \`apprises://\`, \`jsons://\`, \`xmls://\` and \`forms://\`: as they stand
below they are for a server without TLS. Shoutrrr takes https as they stand; without TLS, \`ntfy://\` wants \`?scheme=http\` at the end, \`gotify://\` and
\`mattermost://\` want \`?disabletls=yes\`, and the other two cannot.

| tool | what to set | tested with |
| --- | --- | --- |
${rows.map(rowOf).join('\n')}

Each row is a published client, unmodified, in a test: it takes its message for delivered, the task has the text, the priority and the link, and the same
message sent twice is one task (\`test/clients\`; \`npm run test:clients\` runs those that are programs of their own).

## Clients that show the queue

The apps of ntfy and Gotify show it, too. They sign in with an [API key](api.md) that may read, never with an intake's token:

| client | what to set |
| --- | --- |
${subscriberProtocols.map(({ title, setup }) => rowOf([title, setup('https://HOST')])).join('\n')}

Tested with:

| client | what to set | tested with |
| --- | --- | --- |
${[
  ...readerPairs.map(({ tool, setting, version }) => [tool, setting, version]),
  ['ntfy command line', 'ntfy subscribe --token KEY https://HOST/inbox', versionOf('ntfy')],
]
  .toSorted(([a = ''], [b = '']) => a.localeCompare(b))
  .map(rowOf)
  .join('\n')}

- **Topics.** \`inbox\` is the whole queue. Any other topic shows the tasks with that tag, those of the intake with that name (dashes for spaces), or
  those of the intake with that token.
- **Nothing is lost.** A client that comes back with the id of its last message is told what came since, in the same order, each once: 100,000
  messages over 200 cut connections in \`test/clients/cuts.long.ts\`. After a restart of the server, or with several processes, messages of the last ten seconds may come
  twice, with the same id.
- **What leaves the queue** is told ntfy's newer clients as \`message_delete\`. Deleting a message in a client of Gotify acknowledges its task, which can be
  undone for ten minutes; deleting all acknowledges all. That needs a key that may write.
- **Reported again**: a repeat is a message of its own in ntfy, with the same \`sequence_id\`, and in Gotify the same message once more.
- **Not answered**: what changes accounts, applications or clients. Signing out of an app revokes no key; the settings do. Gotify's app asks for
  greater ids, so that with several processes a message that was stored late may be missed by it until its list is loaded anew.

## The protocols

| protocol | addresses | \`QINBOX_PROTOCOLS\` |
| --- | --- | --- |
${protocols
  .map(({ id, title, routes }) => {
    const paths = [
      ...new Set(routes.map(({ methods, path }) => `\`${methods.join(', ')} ${path.replaceAll(':', '')}\``)),
    ];
    return `| ${title} | ${paths.join(', ')} | \`${id}\` |`;
  })
  .join('\n')}

- **Switching off.** \`QINBOX_PROTOCOLS=none\`, or a list of those that are wanted: \`QINBOX_PROTOCOLS=ntfy,gotify\`.
- **The intake decides.** Its verification holds at every address, its filter, defaults, limits and mapping too. A caller without a token learns nothing.
- **Sent again.** A message without an id of its own has its text as dedupe key: a repeat counts on the task that is in the queue, and is a new one
  once that was acknowledged. In the production size, the id that Gotify's protocol answers to such a repeat is no message's: that it is one is known once a
  worker has counted it.
- **Resolved, where there is no id.** What Alertmanager, Uptime Kuma or Healthchecks send as "up again" by Slack's, Discord's, ntfy's or Gotify's protocol is a message
  of its own: those protocols do not say which one is over. Their webhooks, PagerDuty and Opsgenie do.
- **Resolved.** PagerDuty's \`resolve\` and Opsgenie's \`close\` acknowledge the task; \`acknowledge\` changes nothing, since the problem is still there.
- **Topics** of ntfy may have any name but those of the app's own addresses and of other protocols: \`inbox\`, \`docs\`, \`health\`, \`ready\`, \`metrics\`,
  \`version\`, \`message\` and \`notify\` cannot be published to.
- **Deleted.** What is published to ntfy is acknowledged by \`DELETE /topic/ID\`, and by \`PUT /topic/ID/clear\`: the sequence id, or the id of the answer.
- **Replaced.** A message of ntfy with the sequence id of an earlier one takes its place in the task, which counts it.
- **Templates.** Title and message of ntfy may be Go templates over a body of JSON (\`X-Template: yes\`, \`?tpl=1\`). The templates \`github\`, \`grafana\` and
  \`alertmanager\` read as those senders do here: a task for each alert, closed when it is resolved. Where one cannot be carried out, the body is read as any other.
- **Later.** A delayed message of ntfy waits on disk and makes its task when it is due: ten seconds to three days later, 200 of an owner at the most. Times in words
  (\`tomorrow, 10am\`) are in the server's time zone. Its sequence id replaces or deletes it before; \`scheduled=1\` lists it.
- **Left out.** The five priorities of ntfy and the eleven of Gotify become three. ntfy's icons, e-mails and calls are not passed on. Files, of up to 15 MiB as with ntfy itself, are not stored: the name of one stands in the task's metadata, and its size where that is over 1 MiB.

This page is made by \`node scripts/senders-doc.ts\`.
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../docs/senders.md', import.meta.url), sendersPage());
