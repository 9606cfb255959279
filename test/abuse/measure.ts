// One scenario: slices in which the normal user is alone, and slices beside an abuser, in turn, on one
// running program.
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { end, plainEnvironment, root, startScript } from '#test/program/program.ts';
import { waitFor } from '#test/program/wait.ts';
import { residentMiB, watchMemory, watchOthers, watchProcess } from './machine.ts';
import type { Scenario } from './scenarios.ts';
import { REFUSED, type AbuserReport, type UserReport } from './settings.ts';
import { setStage, type Stage } from './stage.ts';

export interface Size {
  /** Pairs of slices. */
  slices: number;
  /** How long the user is alone before the first slice, then in each pair alone, and beside the abuser. */
  warmSeconds: number;
  aloneSeconds: number;
  besideSeconds: number;
  /** Actions of the normal user. */
  perSecond: number;
  /** How often slices may be measured again because others kept the machine busy. */
  repeats: number;
  /** Of these the abuser's queue holds no more. */
  maxTasks?: number;
}

interface Slice {
  p50: number;
  p99: number;
  /** Of the processor, what the server used. */
  cores: number;
}

/** Medians over the slices, in ms and MiB. */
export interface Result {
  scenario: Scenario;
  alone: Slice;
  beside: Slice;
  /** How much slower the slowest hundredth of the user's actions became. */
  ratio: number;
  mailsMs: number[];
  beforeMiB: number;
  peakMiB: number;
  /** What the normal user did, and what of it went wrong. */
  done: number;
  wrong: string[];
  answers: AbuserReport;
  /** Cores that others than this measurement kept busy, at the median. */
  othersCores: number;
}

/** A slice during which others took more of a core than this says nothing of us, and is measured again. */
const MAX_OTHERS_CORES = 0.3;
/** An abuser that is not told to stop does so by itself after this. */
const ABUSER_SECONDS = 120;

interface Process {
  child: ChildProcess;
  output: () => string;
}

async function startProcess(script: string, settings: object): Promise<Process> {
  const started = await startScript(
    join(root, 'test', 'abuse', script),
    [JSON.stringify(settings)],
    plainEnvironment(),
  );
  await waitFor(`${script} to begin`, () => {
    if (started.child.exitCode !== null) throw new Error(`${script} ended:\n${started.output()}`);
    return started.output().includes('ready\n');
  });
  return started;
}

/** What a process said at its end. */
async function reportOf<T>({ child, output }: Process): Promise<T> {
  await waitFor('the end of a process', () => child.exitCode !== null || child.signalCode !== null, 180_000);
  const last = output().trim().split('\n').at(-1) ?? '';
  if (child.exitCode !== 0) throw new Error(`a process failed:\n${output()}`);
  return JSON.parse(last) as T;
}

/** Measures a scenario from its beginning to its end. */
export async function measure(scenario: Scenario, size: Size): Promise<Result> {
  const { filling } = scenario;
  const { maxTasks = Infinity } = size;
  const stage = await setStage(filling && { ...filling, tasks: Math.min(filling.tasks, maxTasks) });
  try {
    if (size.warmSeconds > 0) await runUser(stage, size.perSecond, size.warmSeconds);
    const rounds: Round[] = [];
    let repeats = 0;
    while (rounds.length < size.slices) {
      const round = await measureRound(stage, scenario, size);
      if (round.othersCores > MAX_OTHERS_CORES && repeats++ < size.repeats) continue;
      rounds.push(round);
    }
    return summarise(scenario, rounds);
  } finally {
    await stage.end();
  }
}

interface Run {
  report: UserReport;
  /** What the server used of the processor, and what others than this measurement did. */
  cores: number;
  othersCores: number;
}

interface Round {
  alone: Run;
  beside: Run;
  answers: AbuserReport;
  beforeMiB: number;
  peakMiB: number;
  othersCores: number;
}

async function measureRound(stage: Stage, scenario: Scenario, size: Size): Promise<Round> {
  const alone = await runUser(stage, size.perSecond, size.aloneSeconds);
  const { pid } = stage.program;
  const beforeMiB = residentMiB(pid);
  const peak = watchMemory(pid);
  const abuser = await startProcess(`abusers/${scenario.abuser}.ts`, {
    ...stage.abuser,
    seconds: ABUSER_SECONDS,
  });
  try {
    const beside = await runUser(stage, size.perSecond, size.besideSeconds, abuser.child.pid);
    if (scenario.saysRefused) await waitFor('the refusal', () => abuser.output().includes(REFUSED));
    abuser.child.kill('SIGTERM');
    const answers = await reportOf<AbuserReport>(abuser);
    return {
      alone,
      beside,
      answers,
      beforeMiB,
      peakMiB: peak(),
      othersCores: Math.max(alone.othersCores, beside.othersCores),
    };
  } finally {
    peak();
    await end(abuser.child, 'SIGKILL');
  }
}

async function runUser(stage: Stage, perSecond: number, seconds: number, abuserPid?: number): Promise<Run> {
  const user = await startProcess('user.ts', { ...stage.user, perSecond, seconds });
  try {
    const pids = [process.pid, stage.program.pid, user.child.pid, abuserPid].filter(
      (pid) => pid !== undefined,
    );
    const others = watchOthers(pids);
    const server = watchProcess(stage.program.pid);
    await after(seconds * 900);
    const [othersCores, cores] = [others(), server()];
    return { report: await reportOf<UserReport>(user), cores, othersCores };
  } finally {
    await end(user.child, 'SIGKILL');
  }
}

function summarise(scenario: Scenario, rounds: readonly Round[]): Result {
  const sliceOf = (runs: readonly Run[]): Slice => ({
    p50: median(runs.map(({ report }) => quantile(report.latenciesMs, 0.5))),
    p99: median(runs.map(({ report }) => quantile(report.latenciesMs, 0.99))),
    cores: median(runs.map(({ cores }) => cores)),
  });
  const alone = sliceOf(rounds.map((round) => round.alone));
  const beside = sliceOf(rounds.map((round) => round.beside));
  const answers: AbuserReport = {};
  for (const round of rounds)
    for (const [answer, times] of Object.entries(round.answers))
      answers[answer] = (answers[answer] ?? 0) + times;
  const reports = rounds.flatMap((round) => [round.alone.report, round.beside.report]);
  return {
    scenario,
    alone,
    beside,
    ratio: beside.p99 / alone.p99,
    mailsMs: rounds.flatMap((round) => round.beside.report.mailsMs),
    beforeMiB: rounds[0]?.beforeMiB ?? Number.NaN,
    peakMiB: Math.max(...rounds.map(({ peakMiB }) => peakMiB)),
    done: reports.reduce((sum, { done }) => sum + done, 0),
    wrong: reports.flatMap(({ wrong }) => wrong),
    answers,
    othersCores: median(rounds.map(({ othersCores }) => othersCores)),
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
