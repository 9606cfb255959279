// Fills a data folder with the sample day through the API, on a simulated clock: tasks, acknowledgements,
// intakes and deliveries.
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildApp } from '#api/app.ts';
import { compose } from '#api/compose.ts';
import { presentUser } from '#api/present/accounts.ts';
import { readConfig } from '#core/config.ts';
import { root } from '#test/program/program.ts';
import { sampleTasks } from './tasks.mjs';

const MINUTE_MS = 60_000;
const SECRET = 'a secret for pictures';
const OWNER = 'mira@example.com';
/** By e-mail address: name, and whether the person is an administrator. */
const PEOPLE = {
  [OWNER]: ['Mira Lindqvist', true],
  'done@example.com': ['Dana Okafor', false],
  'new@example.com': ['Noa Levi', false],
};

const PRINTER_MAPPING = {
  content: '{{ printer.name }}: {{ message }}{% if page %} (page {{ page }}){% endif %}',
  priority: '{% if level == "critical" %}high{% else %}normal{% endif %}',
  tags: 'printer, {{ printer.floor }}',
};

/**
 * Resolves with the localStorage of each signed-in person, by e-mail address (by `key` for a sign-in with an
 * API key), and with the paths of the intakes' pages.
 */
export async function fillSampleDay(dataDir, env) {
  const until = Date.now();
  let now = until;
  const config = readConfig({ ...env, DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
  const parts = await compose(config, {
    clock: { now: () => now, monotonic: () => performance.now() },
    background: false,
  });
  const app = await buildApp(parts);
  const ago = (minutes) => (now = until - minutes * MINUTE_MS);

  const stored = {};
  for (const [email, [name, isAdmin]] of Object.entries(PEOPLE)) {
    ago(70 * 24 * 60);
    const { user } = await parts.accounts.ensureUser(email, { name, isAdmin });
    now = until;
    const { user: signedIn, tokens } = await parts.accounts.startSession(user);
    stored[email] = { ...tokens, user: JSON.stringify(presentUser(signedIn)) };
  }
  const token = stored[OWNER].accessToken;
  const owner = (await parts.storage.accounts.findUserByEmail(OWNER)).id;
  // Before all that is sent with it.
  ago(9 * 24 * 60);
  const { key } = await parts.apiKeys.create(owner, { name: 'everything that reports' });
  ago(20 * 60);
  await parts.apiKeys.create(owner, { name: 'nightly backup of db-3 and db-4' });
  stored.key = { apiKey: key, user: stored[OWNER].user };

  async function inject(method, url, payload, headers) {
    const answer = await app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    return { status: answer.statusCode, body: answer.body === '' ? {} : JSON.parse(answer.body) };
  }
  async function call(method, path, payload, headers = { 'x-api-key': key }) {
    const { status, body } = await inject(method, `/api/v1${path}`, payload, headers);
    if (status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
    return body;
  }

  const acts = sampleTasks.flatMap(({ age, repeats = [], pin, done, resolved, ...task }) => {
    let id;
    const create = async () => {
      const metadata = { ...task.metadata };
      if (resolved !== undefined) metadata.resolvedAt = new Date(until - resolved * MINUTE_MS).toISOString();
      id = (await call('POST', '/tasks', { ...task, metadata })).task.id;
      if (pin) await call('PATCH', `/tasks/${id}/pin`, { pinned: true });
    };
    const acknowledge = { at: done, act: () => call('DELETE', `/tasks/${id}`) };
    return [
      ...[age, ...repeats].map((at) => ({ at, act: create })),
      ...(done === undefined ? [] : [acknowledge]),
    ];
  });
  for (const { at, act } of acts.toSorted((a, b) => b.at - a.at)) {
    ago(at);
    await act();
  }

  const asOwner = { authorization: `Bearer ${token}` };
  const make = async (fields) => (await call('POST', '/intakes', fields, asOwner)).intake;
  const post = ({ address }, body, headers = {}) =>
    inject('POST', new URL(address).pathname, body, { 'content-type': 'application/json', ...headers });
  ago(3 * 60);
  const github = await make({
    name: 'GitHub, our repositories',
    adapter: 'webhook',
    preset: 'github',
    verification: { scheme: 'github', secret: SECRET },
  });
  const printers = await make({
    name: 'Printers on all floors',
    adapter: 'webhook',
    verification: { scheme: 'none' },
    mapping: PRINTER_MAPPING,
    defaults: { tags: ['building'], expiryMinutes: 480 },
  });
  await make({ name: 'Forwarded mail', adapter: 'smtp' });
  for (const [at, name] of GITHUB_DAY) {
    ago(at);
    const sample = fixture('github', name);
    const body = JSON.stringify(sample.body);
    const signature = createHmac('sha256', name.startsWith('ping') ? 'another secret' : SECRET).update(body);
    await post(github, body, {
      ...sample.headers,
      'x-hub-signature-256': `sha256=${signature.digest('hex')}`,
      'x-github-delivery': `${name} ${at}`,
    });
  }
  for (const [at, report] of PRINTER_DAY) {
    ago(at);
    await post(printers, JSON.stringify(report));
  }
  await app.close();
  return { stored, github: `/admin/intakes/${github.id}`, printers: `/admin/intakes/${printers.id}` };
}

const GITHUB_DAY = [
  [170, 'ping.repository'],
  [150, 'pull_request.review_requested'],
  [120, 'watch.started'],
  [65, 'check_run.failed-on-default'],
  [64, 'check_run.failed-on-default'],
  [40, 'issues.assigned'],
  [12, 'check_run.succeeded'],
  [3, 'pull_request_review.changes_requested'],
];

const PRINTER_DAY = [
  [50, { printer: { name: 'Lab 2', floor: '2F' }, level: 'info', message: 'toner at 8 %' }],
  [
    5,
    {
      printer: { name: 'Reception', floor: 'EG' },
      level: 'critical',
      message: 'paper jam in tray 3',
      page: 12,
    },
  ],
];

function fixture(preset, name) {
  const path = join(root, 'adapters', 'ingestion', 'webhook', 'fixtures', preset, `${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8'));
}
