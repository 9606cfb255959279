// The file of an account as text, part by part, so that only a page of its tasks is in memory. Never a
// secret: no key or its hash, no address of an intake, no signing secret, no subscription of a device, no
// session.
import { ACCOUNT_FILE_VERSION, type AccountFile } from '#core/contract/index.ts';
import { toFileIntake, toFileTask, toFileWebhook } from '#core/domain/account-file.ts';
import type { Task } from '#core/domain/task.ts';
import type { AccountContents } from '#core/services/account/export.ts';
import { noNumbers } from '#core/services/account/import-report.ts';
import type { Parts } from '../services/services.ts';
import { presentApiKey } from './accounts.ts';
import { presentEscalation } from './follow-ups.ts';
import { isoTime } from './time.ts';

const NOT_INCLUDED = [
  'API keys: only their names and scopes are here. Make them again, and give them to their programs.',
  'Addresses and secrets of intakes: each gets a new address, and is paused until it has a new secret.',
  'Secrets of webhooks: each is switched off until it has a new one.',
  'Addresses of Slack in escalations: their steps must be added again. Those to a linked account stay where it is linked before the import.',
  'Devices that pushes go to: turn pushes on in each browser again.',
  'The link to Slack, sessions and sign-in links: link and sign in again.',
  'Steps of escalations, pushes and messages to webhooks that wait: the server that wrote this file does them, and they would come twice.',
  'Acknowledged and expired tasks, and deliveries to intakes and webhooks: they are not part of an account.',
];

type Deps = Pick<Parts, 'intakeEncryption'>;

/** All but the tasks and the counts. */
function headOf(
  { intakeEncryption }: Deps,
  { user, pushRules, followUps, keys, webhooks, intakes }: AccountContents,
  now: number,
): Omit<AccountFile, 'tasks' | 'counts'> {
  return {
    qinbox: 'account',
    version: ACCOUNT_FILE_VERSION,
    exportedAt: isoTime(now),
    notIncluded: NOT_INCLUDED,
    profile: {
      email: user.email,
      name: user.name,
      avatar_url: user.avatarUrl,
      created_at: isoTime(user.createdAt),
    },
    views: user.views.map((view) => ({ ...view })),
    pushRules,
    digest: followUps.digest,
    escalations: followUps.escalations.map(presentEscalation),
    keys: keys.map(presentApiKey),
    webhooks: webhooks.map(toFileWebhook),
    intakes: intakes.map((intake) =>
      toFileIntake(intake, Object.keys(intakeEncryption.secretsOf(intake).secrets)),
    ),
  };
}

/** How much of each kind there is. */
export function countsOf(contents: AccountContents, tasks: number): AccountFile['counts'] {
  const { user, pushRules, followUps, keys, webhooks, intakes } = contents;
  return {
    ...noNumbers(),
    intakes: intakes.length,
    webhooks: webhooks.length,
    views: user.views.length,
    pushRules: Number(pushRules !== null),
    escalations: followUps.escalations.length,
    digest: Number(followUps.digest !== null),
    keys: keys.length,
    tasks,
  };
}

/** The text of the file. The counts come last: a file that was cut off has none. */
export async function* accountFile(
  deps: Deps,
  contents: AccountContents,
  tasks: AsyncIterable<readonly Task[]>,
  now: number,
): AsyncGenerator<string> {
  yield `${JSON.stringify(headOf(deps, contents, now), null, 1).slice(0, -2)},\n "tasks": [`;
  let count = 0;
  for await (const page of tasks) {
    const lines = page.map((task) => `\n  ${JSON.stringify(toFileTask(task))}`).join(',');
    yield count === 0 ? lines : `,${lines}`;
    count += page.length;
  }
  yield `\n ],\n "counts": ${JSON.stringify(countsOf(contents, count))}\n}\n`;
}

/** A name for the file. */
export function accountFileName(now: number): string {
  return `qinbox-account-${isoTime(now).slice(0, 10)}.json`;
}
