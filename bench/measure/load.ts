// One slice of load on one server: closed loop as fast as it can (wrk, or autocannon where wrk is missing),
// or open loop at a fixed rate. The client runs on a core of its own where `taskset` can see to that. A wrong
// status fails the run.
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { plainEnvironment, root } from '#test/program/program.ts';

const run = promisify(execFile);
const CONNECTIONS = 64;
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Whether a program is on the PATH. */
function has(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const pinned = has('taskset');
/** What servers and clients run under. */
export interface Cores {
  server: readonly string[];
  client: readonly string[];
}

export const anyCore: Cores = { server: [], client: [] };
/** Puts servers on the first core and clients on the second. */
export const onCores: Cores = pinned
  ? { server: ['taskset', '-c', '0'], client: ['taskset', '-c', '1'] }
  : anyCore;

function runClient(
  { client }: Cores,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ stdout: string }> {
  const [command = program, ...rest] = [...client, program, ...args];
  return run(command, rest, { env: plainEnvironment(env), maxBuffer: 1 << 26 });
}
const useWrk = has('wrk');
export const clientName = `${useWrk ? 'wrk' : 'autocannon'}${pinned ? ', client and servers on different cores' : ', not pinned'}`;

export interface Target {
  name: string;
  url: string;
  pid: number;
  method: 'GET' | 'POST';
  body?: string;
  key?: string;
  /** Of many owners, in turn, instead of `key`. */
  keys?: readonly string[];
  expected: number;
}

export interface Slice {
  perSecond: number;
  /** Processor time of the server, user and system, for one request. */
  cpuMicroseconds: number;
}

interface Counted {
  requests: number;
  wrong: number;
  microseconds: number;
}

/** V8 compiles by how often a function has run: after so many requests nothing is compiled any more. */
const WARM_REQUESTS = 40_000;
/** For a server that takes too few. */
const LONGEST_WARM_SECONDS = 20;

/** Loads one server until it is as fast as it becomes, on a slow machine, too. */
export async function warmUp(target: Target, cores: Cores = onCores): Promise<void> {
  let requests = 0;
  for (let second = 0; second < LONGEST_WARM_SECONDS && requests < WARM_REQUESTS; second++)
    requests += (await loadSlice(target, 1, cores)).perSecond;
}

/**
 * Loads one server for `seconds` and says what it did. Throws when any answer was not the expected status.
 */
export async function loadSlice(target: Target, seconds: number, cores: Cores = onCores): Promise<Slice> {
  const before = cpuSeconds(target.pid);
  const counted = useWrk ? await wrk(target, seconds, cores) : await autocannon(target, seconds, cores);
  const used = cpuSeconds(target.pid) - before;
  if (counted.wrong > 0 || counted.requests === 0)
    throw new Error(
      `${target.name}: ${counted.wrong} of ${counted.requests} answers were not ${target.expected}; this run counts for nothing`,
    );
  return {
    perSecond: counted.requests / (counted.microseconds / 1e6),
    cpuMicroseconds: (used * 1e6) / counted.requests,
  };
}

async function wrk(target: Target, seconds: number, cores: Cores): Promise<Counted> {
  const script = join(import.meta.dirname, 'wrk.lua');
  const env: Record<string, string> = {
    QINBOX_BENCH_METHOD: target.method,
    QINBOX_BENCH_STATUS: String(target.expected),
    ...(target.body === undefined ? {} : { QINBOX_BENCH_BODY: target.body }),
    ...(target.key === undefined && target.keys === undefined
      ? {}
      : { QINBOX_BENCH_KEYS: (target.keys ?? [target.key]).join(' ') }),
  };
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, target.url];
  const { stdout } = await runClient(cores, 'wrk', args, env);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Counted;
}

interface AutocannonReport {
  duration: number;
  errors: number;
  timeouts: number;
  statusCodeStats: Record<string, { count: number }>;
  requests: { total: number };
}

async function runAutocannon(
  target: Target,
  args: readonly string[],
  cores: Cores,
): Promise<AutocannonReport> {
  const cannon = join(root, 'node_modules', 'autocannon', 'autocannon.js');
  const { stdout } = await runClient(cores, process.execPath, [
    cannon,
    '--json',
    '-m',
    target.method,
    '-c',
    String(CONNECTIONS),
    ...args,
    ...(target.body === undefined ? [] : ['-b', target.body, '-H', 'content-type=application/json']),
    ...(target.key === undefined ? [] : ['-H', `x-api-key=${target.key}`]),
    target.url,
  ]);
  return JSON.parse(stdout) as AutocannonReport;
}

function wrongIn(report: AutocannonReport, expected: number): number {
  const others = Object.entries(report.statusCodeStats).filter(([status]) => status !== String(expected));
  return others.reduce((sum, [, { count }]) => sum + count, report.errors + report.timeouts);
}

async function autocannon(target: Target, seconds: number, cores: Cores): Promise<Counted> {
  const report = await runAutocannon(target, ['-d', String(seconds)], cores);
  return {
    requests: report.requests.total,
    wrong: wrongIn(report, target.expected),
    microseconds: report.duration * 1e6,
  };
}

export interface Latency {
  p50: number;
  p99: number;
  p999: number;
  max: number;
}

/**
 * Sends requests at a fixed rate, whether answers come or not; latencies in milliseconds count from when each
 * was due.
 */
export async function openLoop(
  target: Target,
  perSecond: number,
  seconds: number,
  cores: Cores = onCores,
): Promise<Latency> {
  const settings = {
    url: target.url,
    method: target.method,
    headers: {
      'content-type': 'application/json',
      ...(target.key === undefined ? {} : { 'x-api-key': target.key }),
    },
    body: target.body ?? '',
    perSecond,
    seconds,
    connections: CONNECTIONS,
    expected: target.expected,
  };
  const client = join(import.meta.dirname, 'paced.ts');
  const { stdout } = await runClient(cores, process.execPath, [client, JSON.stringify(settings)]);
  const report = JSON.parse(stdout) as Latency & { wrong: number };
  if (report.wrong > 0)
    throw new Error(`${target.name}: ${report.wrong} answers were not ${target.expected}`);
  return report;
}

/** Processor time that a process has used so far, user and system. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Resident memory of a process, in MiB. */
export function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1024;
}
