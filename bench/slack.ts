// `npm run bench -- slack`: 500 slash commands in ten seconds to the real program, a fifth of them sent again
// as Slack does, and how long the slowest waited. Goal: every one answered under a second, each exactly one
// task. Exit 0: met; 1: missed.
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryFolder, createKey, createSignInLink, startProgram } from '#test/program/program.ts';
import { commandFields, createSender, SIGNING_SECRET } from '#test/slack/sender.ts';
import { BOT_TOKEN, startStandIn } from '#test/slack/stand-in.ts';
import { number } from './measure/report.ts';

const COMMANDS = 500;
const RESENT_EVERY = 5;
const WITHIN_MS = 10_000;
const GOAL_MS = 1000;
const EMAIL = 'bench@example.com';

const folder = temporaryFolder('bench-slack');
const key = createKey(folder.path, EMAIL);
const slack = await startStandIn();
const program = await startProgram({
  dataDir: folder.path,
  env: { SLACK_SIGNING_SECRET: SIGNING_SECRET, SLACK_BOT_TOKEN: BOT_TOKEN, SLACK_API_URL: slack.apiUrl },
});

const api = async (path: string, body: object | null, headers: Record<string, string>): Promise<unknown> => {
  const response = await fetch(`${program.url}/api/v1${path}`, {
    method: body === null ? 'GET' : 'POST',
    headers: { ...headers, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
};

try {
  const link = new URL(createSignInLink(folder.path, program.url, EMAIL));
  const token = link.hash.split('=').at(-1);
  const { tokens } = (await api('/auth/link', { token }, {})) as { tokens: { accessToken: string } };
  const { code } = (await api('/slack/code', {}, { authorization: `Bearer ${tokens.accessToken}` })) as {
    code: string;
  };
  const sender = createSender(program.url, () => Date.now());
  await sender.form(commandFields(`link ${code}`));

  const times: number[] = [];
  const failed: string[] = [];
  const send = async (fields: Record<string, string>) => {
    const began = performance.now();
    const { status, text } = await sender.form(fields);
    times.push(performance.now() - began);
    if (status !== 200 || !text.includes('In your inbox')) failed.push(`${status} ${text.slice(0, 100)}`);
  };
  const sent: Promise<void>[] = [];
  for (let at = 0; at < COMMANDS; at++) {
    const fields = commandFields(`thing ${at} #bench`, { response_url: slack.responseUrl() });
    sent.push(send(fields));
    if (at % RESENT_EVERY === 0) sent.push(send(fields));
    await pause(WITHIN_MS / COMMANDS);
  }
  await Promise.all(sent);

  const { statistics } = (await api('/tasks?limit=1', null, { 'x-api-key': key })) as {
    statistics: { total: number };
  };
  times.sort((a, b) => a - b);
  const [median = 0, slowest = 0] = [times[times.length >> 1], times.at(-1)];
  console.log(
    `${times.length} requests for ${COMMANDS} commands: median ${number(median)} ms, slowest ${number(slowest)} ms (goal under ${GOAL_MS} ms)`,
  );
  console.log(`${statistics.total} tasks (goal ${COMMANDS}), ${failed.length} not confirmed`);
  for (const why of failed.slice(0, 3)) console.log(`  ${why}`);
  process.exitCode = slowest < GOAL_MS && statistics.total === COMMANDS && failed.length === 0 ? 0 : 1;
} finally {
  await program.stop();
  await slack.close();
  folder.remove();
}
