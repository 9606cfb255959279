// What a process takes of the machine, as the kernel counts it.
import { readFileSync } from 'node:fs';

/** The most resident memory that the process ever had, in MiB. */
export function peakMiB(pid: number): number {
  const kib = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1024;
}
