// The action: makes a task for a job that failed, or closes it. Without dependencies, so that there is nothing
// to build. What it prints never has the key in it.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const TIMEOUT_MS = 15_000;
const MAX_PAUSE_SECONDS = 20;
const TRIES = 3;
const MINUTES = { m: 1, h: 60, d: 1440 };
const MAX_MINUTES = 10_080;

/** What the workflow got wrong, or the server refused; its message is for the log. */
class Refusal extends Error {}

const { env } = process;
const input = (name) => (env[`INPUT_${name.toUpperCase()}`] ?? '').trim();

function truth(name) {
  const given = input(name).toLowerCase();
  if (!['', 'true', 'false'].includes(given)) throw new Refusal(`${name} must be true or false`);
  return given === 'true';
}

function minutes(text) {
  const [, number, unit = 'm'] = /^(\d+) ?([mhd])?$/.exec(text) ?? [];
  const found = Number(number) * MINUTES[unit];
  if (!(found >= 1 && found <= MAX_MINUTES))
    throw new Refusal('expires must be minutes, or 2h, 3d; at most 7d');
  return found;
}

function server() {
  let url;
  try {
    url = new URL(input('url'));
  } catch {
    throw new Refusal('url must be the address of the server, such as https://inbox.example.com');
  }
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new Refusal('url must begin with https:// or http://, and have no user name in it');
  if (input('key') === '') throw new Refusal('key is empty. Workflows of forks see no secrets.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}/api/v1`;
}

/** Calls the API; waits and tries again when the server cannot do it now. Sent twice, nothing happens twice. */
async function call(method, path, body) {
  const base = server();
  const request = {
    method,
    headers: {
      'content-type': 'application/json',
      'x-api-key': input('key'),
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify(body),
    redirect: 'manual',
  };
  for (let tries = 1; ; tries++) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(base + path, { ...request, signal }).catch((error) => ({
      unreachable: error.cause?.code ?? error.cause?.message ?? error.name,
    }));
    if (answer.ok === true) return answer.json();
    const mayWork =
      answer.unreachable !== undefined || [409, 429].includes(answer.status) || answer.status >= 500;
    if (!mayWork || tries === TRIES) throw new Refusal(await reason(answer, base));
    const asked = Number(answer.headers?.get('retry-after') ?? tries);
    await pause(1000 * Math.min(MAX_PAUSE_SECONDS, asked));
  }
}

async function reason(answer, base) {
  const { host } = new URL(base);
  if (answer.unreachable !== undefined) return `${host} does not answer (${answer.unreachable})`;
  const { code, error, details } = await answer.json().catch(() => ({}));
  if (code === undefined) return `${host} answered ${answer.status}, not as Qinbox does`;
  const fields = (details ?? []).map(({ field, message }) => `${field} ${message}`).join('; ');
  return `${host} answered ${answer.status} ${code}: ${error}${fields === '' ? '' : ` (${fields})`}`;
}

const about = [env.GITHUB_REPOSITORY, env.GITHUB_WORKFLOW, env.GITHUB_JOB, env.GITHUB_REF_NAME];
const dedupeKey = input('dedupe-key') || ['github', ...about].join('/').slice(0, 255);

function task() {
  const run = `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`;
  const [repository, workflow, job, branch] = about;
  return {
    content: input('content') || `${job} of ${workflow} failed on ${branch} of ${repository}\n${run}`,
    priority: input('priority') || 'normal',
    tags: input('tags')
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
    source: 'github',
    dedupeKey,
    expiryMinutes: minutes(input('expires') || '1d'),
    metadata: {
      url: run,
      repository,
      workflow,
      job,
      branch,
      commit: env.GITHUB_SHA,
      actor: env.GITHUB_ACTOR,
    },
  };
}

/** A repeat leaves the text as it was: have it say the latest. */
async function renew({ id, occurrences }, content) {
  if (occurrences > 1) await call('PUT', `/tasks/${id}`, { content });
}

async function act() {
  truth('fail-on-error');
  if (truth('resolve')) {
    const { resolved } = await call('POST', '/tasks/resolve', { dedupeKeys: [dedupeKey] });
    output('resolved', resolved);
    return resolved === 1 ? '1 task closed' : `${resolved} tasks closed`;
  }
  const wanted = task();
  const made = (await call('POST', '/tasks', wanted)).task;
  output('task-id', made.id);
  await renew(made, wanted.content);
  return `${made.id} ${made.occurrences === 1 ? 'made' : `counted ${made.occurrences} times`}`;
}

function output(name, value) {
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `${name}=${value}\n`);
}

/** A line for the runner, which would take the rest of a text with line ends for its own. */
function say(command, text) {
  const line = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(command === null ? `${text}\n` : `::${command} title=Qinbox::${line}\n`);
}

try {
  say(null, await act());
} catch (error) {
  const isHard = input('fail-on-error').toLowerCase() === 'true';
  say(isHard ? 'error' : 'warning', error instanceof Refusal ? error.message : String(error));
  if (isHard) process.exitCode = 1;
}
