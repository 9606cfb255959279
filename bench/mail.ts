// `npm run bench -- mail`: mails of 2 kB over 20 connections, read and durable, against a bare smtp-server
// that throws them away, and against Mailpit where MAILPIT names its binary. Shows the rates and their ratios
// and judges nothing. The servers may use every core: Qinbox reads mails in threads of their own. With
// `-- --one-core` each server has one core and the client the other, which shows the whole cost of a mail.
// Exit 2: smtp-source is missing.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { end, freePort, plainEnvironment, root, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import flags from '../scripts/parts/node-flags.json' with { type: 'json' };
import { onCores } from './measure/load.ts';
import { summarise } from './measure/stats.ts';

const CONNECTIONS = 20;
const BYTES = 2000;
const run = promisify(execFile);

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '2' },
    'one-core': { type: 'boolean', default: false },
  },
});
const [rounds, seconds] = [Number(options.rounds), Number(options.seconds)];
const onServersCore = options['one-core'] ? onCores.server : [];

interface Lane {
  name: string;
  child: ChildProcess;
  port: string;
  address: string;
  /** Messages of a slice. */
  messages: number;
  sent: number;
}

const servers = onServersCore.length > 0 ? 'each server on one core' : 'servers on any core';

async function startLane(kind: 'sink' | 'qinbox', name: string, folder: string): Promise<Lane> {
  const script = join(root, 'bench', 'ref', 'mail.ts');
  const [command, ...under] = [...onServersCore, process.execPath];
  const child = spawn(command, [...under, ...flags, script, kind, folder], {
    cwd: root,
    env: plainEnvironment({ NODE_ENV: 'production' }),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port = '', address = ''] = (await lineOf(child)).split(' ');
  return { name, child, port, address, messages: 1000, sent: 0 };
}

/** As shipped, with a database in the folder. */
async function startMailpit(binary: string, folder: string): Promise<Lane> {
  const [port, web] = [String(await freePort()), await freePort()];
  const [command, ...args] = [...onServersCore, binary];
  const own = ['--smtp', `127.0.0.1:${port}`, '--listen', `127.0.0.1:${web}`, '--max', '0', '--quiet'];
  const child = spawn(command, [...args, ...own, '--database', join(folder, 'mailpit.db')], {
    env: plainEnvironment({}),
    stdio: 'ignore',
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${web}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor('Mailpit', isReady);
  return { name: 'Mailpit', child, port, address: 'bench@example.com', messages: 1000, sent: 0 };
}

/** The next line that a server prints. */
async function lineOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the server has no output');
  const [chunk] = (await once(stdout, 'data')) as [Buffer];
  return chunk.toString().trim();
}

/** Messages a second. smtp-source ends with an error when any answer is not the one it waits for. */
async function slice(lane: Lane): Promise<number> {
  const { port, address, messages } = lane;
  const counts = ['-s', String(CONNECTIONS), '-m', String(messages), '-l', String(BYTES)];
  const begun = performance.now();
  const client = [
    'smtp-source',
    '-d',
    ...counts,
    '-f',
    'bench@example.org',
    '-t',
    address,
    `127.0.0.1:${port}`,
  ];
  if (onServersCore.length > 0) await run('taskset', ['-c', '1', ...client]);
  else await run('smtp-source', client.slice(1));
  lane.sent += messages;
  return messages / ((performance.now() - begun) / 1000);
}

try {
  execFileSync('which', ['smtp-source'], { stdio: 'ignore' });
} catch {
  console.error('qinbox: smtp-source is missing (it comes with postfix)');
  process.exit(2);
}
const folder = temporaryFolder('bench-mail');
const lanes: Lane[] = [];
try {
  const sink = await startLane('sink', 'bare smtp-server', folder.path);
  lanes.push(sink);
  const own = await startLane('qinbox', 'Qinbox', folder.path);
  lanes.push(own);
  const { MAILPIT: mailpit = '' } = process.env;
  if (mailpit !== '') lanes.push(await startMailpit(mailpit, folder.path));
  // Each slice takes about as long; the first ones find out how many messages that is.
  for (const lane of lanes)
    for (let warm = 0; warm < 3; warm++)
      lane.messages = Math.max(1000, Math.round((await slice(lane)) * seconds));

  const rates = new Map<Lane, number[]>(lanes.map((lane) => [lane, []]));
  for (let round = 0; round < rounds; round++)
    for (const lane of round % 2 === 0 ? lanes : lanes.toReversed()) rates.get(lane)?.push(await slice(lane));

  own.child.stdin?.write('?\n');
  const stored = Number(await lineOf(own.child));
  if (stored !== own.sent)
    throw new Error(`${own.sent} mails were answered 250, and ${stored} tasks are there`);
  console.log(
    `${cpus()[0]?.model.trim() ?? 'unknown processor'} × ${cpus().length}, Node ${process.versions.node}; ${rounds} rounds of ${seconds} s slices, ${CONNECTIONS} connections, ${BYTES} bytes, ${servers}; ${stored} tasks, one for each mail`,
  );
  const ours = rates.get(own) ?? [];
  for (const other of lanes) {
    if (other === own) continue;
    const theirs = rates.get(other) ?? [];
    const ratio = summarise(ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN)));
    console.log(
      `mails ${summarise(ours).median.toFixed(0)}/s ÷ ${other.name} ${summarise(theirs).median.toFixed(0)}/s = ${ratio.median.toFixed(2)} (quartiles ${ratio.q1.toFixed(2)} – ${ratio.q3.toFixed(2)})`,
    );
  }
} finally {
  for (const { child } of lanes) await end(child, 'SIGKILL');
  folder.remove();
}
