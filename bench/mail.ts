// `npm run bench -- mail`: mails of 2 kB over 20 connections, read and durable, against a bare smtp-server
// that throws them away. Shows the rates and their ratio and judges nothing. Both servers may use every core:
// Qinbox reads mails in threads of their own. With `-- --one-core` each server has one core and the client
// the other, which shows the whole cost of a mail. Exit 2: smtp-source is missing.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { end, plainEnvironment, root, temporaryFolder } from '#test/program/program.ts';
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
  const [ours = [], theirs = []] = [rates.get(own), rates.get(sink)];
  const ratio = summarise(ours.map((rate, round) => rate / (theirs[round] ?? Number.NaN)));
  console.log(
    `${cpus()[0]?.model.trim() ?? 'unknown processor'} × ${cpus().length}, Node ${process.versions.node}; ${rounds} rounds of ${seconds} s slices, ${CONNECTIONS} connections, ${BYTES} bytes, ${onServersCore.length > 0 ? 'each server on one core' : 'servers on any core'}; ${stored} tasks, one for each mail`,
  );
  console.log(
    `mails ${summarise(ours).median.toFixed(0)}/s ÷ bare ${summarise(theirs).median.toFixed(0)}/s = ${ratio.median.toFixed(2)} (quartiles ${ratio.q1.toFixed(2)} – ${ratio.q3.toFixed(2)})`,
  );
} finally {
  for (const { child } of lanes) await end(child, 'SIGKILL');
  folder.remove();
}
