// What the machine says of processes: memory, and the processor time of others than ours.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
/** Between two looks at a process's memory. */
const LOOK_MS = 50;

/** What the system says of a process in a file of /proc; nothing of one that has ended. */
function tellOf(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Memory of a process that is resident, in MiB; 0 when it has ended. */
export function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(tellOf(pid, 'status'))?.[1] ?? 0) / 1024;
}

/** Looks at a process's memory until it is asked for the most that it saw. */
export function watchMemory(pid: number): () => number {
  let peak = residentMiB(pid);
  const timer = setInterval(() => (peak = Math.max(peak, residentMiB(pid))), LOOK_MS);
  return () => {
    clearInterval(timer);
    return Math.max(peak, residentMiB(pid));
  };
}

interface Ticks {
  all: number;
  ours: number;
  at: number;
}

function ticks(pids: readonly number[]): Ticks {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]?.split(' ').map(Number) ?? [];
  const ours = pids.map((pid) => {
    // The name in parentheses may hold anything.
    const fields = tellOf(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  });
  const all = user + nice + system + irq + softirq;
  return { all, ours: ours.reduce((sum, one) => sum + one, 0), at: performance.now() };
}

/** Measures, until it is asked, how much of one core a process used. */
export function watchProcess(pid: number): () => number {
  const before = ticks([pid]);
  return () => {
    const after = ticks([pid]);
    return (after.ours - before.ours) / TICKS_PER_SECOND / ((after.at - before.at) / 1000);
  };
}

/** Measures, until it is asked, how much of one core was used by processes other than these, on average. */
export function watchOthers(pids: readonly number[]): () => number {
  const before = ticks(pids);
  return () => {
    const after = ticks(pids);
    const others = after.all - before.all - (after.ours - before.ours);
    return Math.max(0, others / TICKS_PER_SECOND / ((after.at - before.at) / 1000));
  };
}
