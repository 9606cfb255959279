// The normal user, run as `node test/abuse/user.ts '<settings as JSON>'` in a process of its own: creates,
// lists, acknowledges, watches the live socket, has signed webhooks delivered and now and then a mail.
// Actions fall due evenly whether answers come or not, and a latency counts from when its action was due (no
// coordinated omission).
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { WebSocket } from 'ws';
import type { UserReport, UserSettings } from './settings.ts';

const settings = JSON.parse(process.argv[2] ?? '{}') as UserSettings;
const { url, keys, hook, mail, perSecond, seconds } = settings;
/** What does not come within this is lost. */
const PATIENCE_MS = 30_000;
/** One action in this many is a delivery. */
const DELIVERY_EVERY = 20;
/** And one a mail. */
const MAIL_EVERY = 60;

const agent = new Agent({ keepAlive: true });
const report: UserReport = { latenciesMs: [], mailsMs: [], wrong: [], done: 0 };
const open: string[] = [];
/** When the creation of a task that is still to be seen on the live socket was due. */
const expected = new Map<string, { dueAt: number; seen: () => void }>();

interface Answer {
  status: number;
  text: string;
}

function send(to: string, method: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(to, {
      agent,
      method,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    asked.setTimeout(PATIENCE_MS, () => asked.destroy(new Error('no answer')));
    asked.once('error', reject);
    asked.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    asked.end(body);
  });
}

let turn = 0;
/** A call of the API with the next of the user's keys, each of which may ask a hundred times a minute. */
const call = (method: string, path: string, body?: object): Promise<Answer> =>
  send(
    `${url}/api/v1${path}`,
    method,
    { 'x-api-key': keys[turn++ % keys.length] ?? '', 'content-type': 'application/json' },
    body === undefined ? '' : JSON.stringify(body),
  );

async function expectStatus(what: string, asked: Promise<Answer>, status: number): Promise<Answer> {
  const answer = await asked;
  if (answer.status !== status) throw new Error(`${what}: ${answer.status} ${answer.text.slice(0, 200)}`);
  return answer;
}

/** Creates a task, and waits until the live socket has told of it. */
async function create(dueAt: number): Promise<void> {
  const content = `Look at this ${Math.random()}`;
  const told = new Promise<void>((seen) => expected.set(content, { dueAt, seen }));
  const { text } = await expectStatus('create', call('POST', '/tasks', { content }), 201);
  report.latenciesMs.push(performance.now() - dueAt);
  open.push((JSON.parse(text) as { task: { id: string } }).task.id);
  const patience = new AbortController();
  const late = after(PATIENCE_MS, 'late', { ref: false, signal: patience.signal }).catch(() => 'told');
  if ((await Promise.race([told, late])) === 'late') throw new Error('live: not told of a task');
  patience.abort();
}

async function list(): Promise<void> {
  await expectStatus('list', call('GET', '/tasks?limit=50'), 200);
}

async function acknowledge(): Promise<void> {
  const id = open.shift();
  if (id === undefined) return list();
  await expectStatus('acknowledge', call('DELETE', `/tasks/${id}`), 200);
}

async function deliver(): Promise<void> {
  const body = JSON.stringify({ message: `Backup failed ${Math.random()}` });
  const signature = createHmac('sha256', hook.secret).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', [hook.header]: hook.prefix + signature };
  await expectStatus('delivery', send(hook.url, 'POST', headers, body), 202);
}

const transport = createTransport({
  host: '127.0.0.1',
  port: mail.port,
  ignoreTLS: true,
  connectionTimeout: PATIENCE_MS,
  greetingTimeout: PATIENCE_MS,
  socketTimeout: PATIENCE_MS,
});
async function write(): Promise<void> {
  await transport.sendMail({
    from: 'me@example.com',
    to: mail.address,
    subject: `A mail ${Math.random()}`,
    text: 'Please look.',
  });
}

async function act(index: number, dueAt: number): Promise<void> {
  try {
    if (index % MAIL_EVERY === 7) {
      await write();
      report.mailsMs.push(performance.now() - dueAt);
    } else if (index % 3 === 0) await create(dueAt);
    else {
      await (index % DELIVERY_EVERY === 1 ? deliver() : index % 3 === 1 ? list() : acknowledge());
      report.latenciesMs.push(performance.now() - dueAt);
    }
    report.done++;
  } catch (error) {
    // What was lost took its time, too.
    report.latenciesMs.push(performance.now() - dueAt);
    report.wrong.push(error instanceof Error ? error.message : String(error));
  }
}

const live = new WebSocket(`${url.replace('http', 'ws')}/api/v1/live`, ['qinbox.v1'], {
  headers: { 'x-api-key': keys[0] ?? '' },
});
live.on('error', (error) => report.wrong.push(`live: ${error.message}`));
live.on('message', (data: Buffer) => {
  const message = JSON.parse(data.toString()) as { type: string; task?: { content: string } };
  const waited = expected.get(message.task?.content ?? '');
  if (message.type !== 'task.created' || waited === undefined) return;
  expected.delete(message.task?.content ?? '');
  report.latenciesMs.push(performance.now() - waited.dueAt);
  waited.seen();
});
await once(live, 'message');
process.stdout.write('ready\n');

const startedAt = performance.now();
const total = Math.round(perSecond * seconds);
const acts: Promise<void>[] = [];
for (let index = 0; index < total; index++) {
  const dueAt = startedAt + (index * 1000) / perSecond;
  const early = dueAt - performance.now();
  if (early > 0) await after(early);
  acts.push(act(index, dueAt));
}
await Promise.all(acts);
if (live.readyState !== WebSocket.OPEN) report.wrong.push('live: the socket was closed');
live.terminate();
agent.destroy();
process.stdout.write(`${JSON.stringify(report)}\n`);
