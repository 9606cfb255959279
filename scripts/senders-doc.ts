// Writes docs/senders.md from the tables that the tests of published clients run:
// `node scripts/senders-doc.ts`. A test compares the two.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { protocols } from '#adapters/ingestion/webhook/protocols/index.ts';
import { commandPairs, PROGRAMS, receivers } from '../test/clients/commands.ts';
import { pairs } from '../test/clients/pairs.ts';

const versionOf = (program: keyof typeof PROGRAMS) => {
  const version = PROGRAMS[program]?.split('@')[1];
  return version === undefined ? program : `${program} ${version.replace(/^v/, '')}`;
};

/** The page, as it should be. */
export function sendersPage(): string {
  const rows = [
    ...pairs.map(({ tool, setting, version }) => [tool, setting, version]),
    ...commandPairs.map(({ tool, setting, program }) => [tool, setting, versionOf(program)]),
    ...receivers.map(({ setting }) => ['Alertmanager', setting, versionOf('alertmanager')]),
  ].toSorted(([a = ''], [b = '']) => a.localeCompare(b));
  return `# Nothing to change but the address

A tool that already notifies through another hub notifies Qinbox when it is given another address. Make an [intake](adapters/webhook.md): its address is
\`https://HOST/hooks/TOKEN\`. The token stands for topic, key or webhook, wherever the tool asks for one. The
page of the intake shows each of these addresses, with a button to copy it.

| tool | what to set | tested with |
| --- | --- | --- |
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

Each row is a published client, unmodified, in a test: it takes its message for delivered, the task has the text, the priority and the link, and the same
message sent twice is one task (\`test/clients\`; \`npm run test:clients\` runs those that are programs of their own).

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
  once that was acknowledged.
- **Resolved.** PagerDuty's \`resolve\` and Opsgenie's \`close\` acknowledge the task; \`acknowledge\` changes nothing, since the problem is still there.
- **Deleted.** What is published to ntfy is acknowledged by \`DELETE /topic/ID\`, and by \`PUT /topic/ID/clear\`: the sequence id, or the id of the answer.
- **Left out.** A message that replaces another of ntfy's counts as its repeat, and the first text stays. ntfy's icons, e-mails and calls are not passed on; a delay and the name of a file stand in the task's metadata. Files are not stored.
  ntfy's and Gotify's clients that show messages (\`subscribe\`, their apps) are not answered. Intakes that were made before this release have the
  short key for Gotify from their next new address on.

This page is made by \`node scripts/senders-doc.ts\`.
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../docs/senders.md', import.meta.url), sendersPage());
