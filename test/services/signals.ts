// Processes that hang: held and let go on by signals.

/** Holds a process as a debugger would: it is there, and does nothing. */
export function freeze(pid: number | null): void {
  if (pid !== null) process.kill(pid, 'SIGSTOP');
}

/** Lets it go on; one that is gone is left alone. */
export function wake(pid: number | null): void {
  try {
    if (pid !== null) process.kill(pid, 'SIGCONT');
  } catch {
    // It has ended meanwhile.
  }
}
