// What is felt: latency at a fixed rate, stops of the event loop, time to start, memory at rest.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { end, freePort, plainEnvironment, root, temporaryFolder } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { creating, fill, startQinbox, startReference, withServers } from './measure/field.ts';
import { anyCore, loadSlice, onCores, openLoop, residentMiB, warmUp, type Latency } from './measure/load.ts';
import { summarise } from './measure/stats.ts';
import { single, type Outcome, type Result } from './measure/outcome.ts';

/** Slices of an open loop, of 3 seconds each. */
const SLICES = 8;
/** When a server that only echoes needs this long at p99, the delay is the machine's or the client's. */
const FLOOR_MS = 5;
const STARTS = 5;
const AFTER_READY_MS = 3000;
/** By then what a start or a load has left is given back, and threads that nobody asks have ended. */
export const REST_MS = 45_000;

type TailGoals = Omit<Latency, 'max'>;

/** Latency of POST /tasks at half of the peak, in an open loop, on one core and on all. */
export async function tail(): Promise<Outcome> {
  const one = await tailOn('one core', onCores, { p50: 0.3, p99: 15, p999: 25 });
  const all = await tailOn('all cores', anyCore, { p50: 1, p99: 5, p999: 10 });
  return { results: [...one, ...all], rates: [] };
}

function tailOn(where: string, cores: typeof onCores, goals: TailGoals): Promise<Result[]> {
  return withServers(async (start) => {
    const own = await start(startQinbox({ under: cores.server }));
    const echo = creating('raw http echo', await start(startReference('echo', 0, cores.server)));
    const target = creating('Qinbox POST /tasks', own, own.keyOf('tail@example.com'));
    for (const each of [echo, target]) await warmUp(each, cores);
    const { perSecond: peak } = await loadSlice(target, 3, cores);
    const floor: Latency[] = [];
    const latencies: Latency[] = [];
    for (let slice = 0; slice < SLICES; slice++) {
      floor.push(await openLoop(echo, peak / 2, 1, cores));
      latencies.push(await openLoop(target, peak / 2, 3, cores));
    }
    const machineBusy = summarise(floor.map(({ p99 }) => p99)).median > FLOOR_MS;
    const rate = Math.round(peak / 2).toLocaleString('en-US');
    const row = (name: string, place: keyof TailGoals): Result => ({
      measure: `${name} at ${rate}/s, ${where}`,
      value: summarise(latencies.map((latency) => latency[place])),
      unit: 'ms',
      goal: { atMost: goals[place] },
      machineBusy,
    });
    return [row('p50', 'p50'), row('p99', 'p99'), row('p99.9', 'p999')];
  });
}

/** The longest stop of the event loop in a minute of 10,000 creates a second, beside 20 who read lists. */
export function stops(): Promise<Outcome> {
  const [perSecond, seconds, readers] = [10_000, 60, 20];
  return withServers(async (start) => {
    const script = join(root, 'bench', 'measure', 'loop-delay.ts');
    const own = await start(startQinbox({ env: { NODE_OPTIONS: `--import ${script}` } }));
    const target = creating('Qinbox POST /tasks', own, own.keyOf('stops@example.com'));
    const readerKey = own.keyOf('reader@example.com');
    await fill(own, readerKey, 1000);
    await warmUp(target);
    process.kill(own.pid, 'SIGUSR2');
    let reading = true;
    const lists = Array.from({ length: readers }, async () => {
      while (reading) {
        await (
          await fetch(`${own.url}/api/v1/tasks?limit=50`, { headers: { 'x-api-key': readerKey } })
        ).text();
        await after(1000);
      }
    });
    await openLoop(target, perSecond, seconds);
    reading = false;
    await Promise.all(lists);
    const before = own.output().length;
    process.kill(own.pid, 'SIGUSR2');
    await waitFor('the longest stop', async () => own.output().slice(before).includes('LOOP'));
    const said = /LOOP (.*)/.exec(own.output().slice(before))?.[1] ?? '{}';
    const { longest } = JSON.parse(said) as { longest: number };
    return { results: [single('longest stop of the event loop in a minute', longest, 'ms', 10)], rates: [] };
  });
}

/** Start to ready, and resident memory at rest, with mail on as `npm start` has it. */
export async function rest(): Promise<Outcome> {
  const npmStarts = await startRepeatedly([...npmOfShell(), 'start', '--silent']);
  const starts = await startRepeatedly([process.execPath, join(root, 'scripts', 'start.mjs')]);
  const seconds = (measure: string, { starts: all }: Starts): Result => ({
    measure,
    value: summarise(all.map(({ ms }) => ms / 1000)),
    unit: 's',
    goal: { atMost: 0.4 },
  });
  const early = summarise(starts.starts.map(({ own }) => own));
  return {
    results: [
      seconds('start to ready, second start, without npm', starts),
      seconds('the same with npm start', npmStarts),
      single('resident at rest, the program', starts.atRest.own, 'MiB', 100),
      single('the same with all processes of npm start', npmStarts.atRest.all, 'MiB', 150),
      { measure: 'the program 3 s after its start', value: early, unit: 'MiB', goal: { atMost: 100 } },
    ],
    rates: [],
  };
}

/** npm as it was called, under the Node of the caller: a script's PATH begins with that of node_modules. */
function npmOfShell(): string[] {
  const { npm_node_execpath: node, npm_execpath: npm } = process.env;
  return node === undefined || npm === undefined ? ['npm'] : [node, npm];
}

interface Memory {
  /** Of the server. */
  own: number;
  /** Of the server and what started it. */
  all: number;
}

interface Starts {
  starts: (Memory & { ms: number })[];
  atRest: Memory;
}

async function startRepeatedly([command = '', ...args]: string[]): Promise<Starts> {
  const folder = temporaryFolder('bench-start');
  const port = await freePort();
  const env = plainEnvironment({
    DATA_DIR: folder.path,
    PORT: String(port),
    SMTP_PORT: '0',
    LOG_LEVEL: 'warn',
  });
  const starts: Starts['starts'] = [];
  let atRest: Memory = { own: 0, all: 0 };
  // The first builds and compiles.
  for (let run = 0; run <= STARTS; run++) {
    const from = performance.now();
    const child = spawn(command, args, { cwd: root, env, stdio: 'ignore' });
    while ((await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null))?.ok !== true) await after(2);
    const ms = performance.now() - from;
    await after(AFTER_READY_MS);
    const pids = withChildren(child.pid ?? 0);
    const server = pids.at(-1) ?? 0;
    const memory = (): Memory => ({
      own: residentMiB(server),
      all: pids.map(residentMiB).reduce((sum, one) => sum + one, 0),
    });
    if (run > 0) starts.push({ ms, ...memory() });
    if (run === STARTS) {
      await after(REST_MS);
      atRest = memory();
    }
    process.kill(server, 'SIGTERM');
    await end(child, 'SIGTERM');
    // npm ends at once, the server when it has closed: until then it would answer for the next one.
    await waitFor('the end of the server', async () => !existsSync(`/proc/${server}`));
  }
  folder.remove();
  return { starts, atRest };
}

/** The process and those that it started, in that order. */
function withChildren(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [pid, ...children.map(Number).flatMap(withChildren)];
}
