// The end of the process that started this one. npm hands SIGTERM to the shell that it runs a script in; the
// shell dies of it, and what it runs would go on alone, with the port and the data in its hands.
const INTERVAL_MS = 1000;

/** Calls `then` once, within a second of the parent's end. Does not keep this process alive. */
export function whenParentEnds(then: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    then();
  }, INTERVAL_MS).unref();
}
