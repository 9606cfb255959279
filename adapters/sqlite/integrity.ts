// Looks for damage in a database file beside the event loop, and remembers what was found. Damage that any statement meets counts as
// well: a file that was damaged once is not trusted again before the program is started anew.
import { execFile, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Log } from '#core/ports/log.ts';
import { isDamage } from './faults.ts';
import type { IntegrityReport } from './integrity-process.ts';

/** When a server first looks, and how often after that. */
const FIRST_CHECK_MS = 5000;
const INTERVAL_MS = 24 * 60 * 60_000;
const MAX_FINDINGS = 10;
/** The lowest priority: the check has all day. */
const NICENESS = 19;
const SCRIPT = fileURLToPath(new URL('integrity-process.ts', import.meta.url));
/** SQLite's own words for SQLITE_CORRUPT, where only the text of an error came across a thread. */
const DAMAGE_TEXT = /database disk image is malformed|file is not a database/;
const ADVICE = 'The database is damaged. Run "qinbox doctor", then put back a backup.';

export interface Integrity {
  /** What the operator should know and do, or null while nothing was found. */
  damage: () => string | null;
  /** Hears of a fault, whatever it is. */
  heard: (error: unknown) => void;
  /** Reads the whole file, every index against its table too; what is wrong with it, at most ten lines. Rejects when it cannot be read. */
  verify: () => Promise<readonly string[]>;
  /** Ends what is under way. */
  close: () => void;
}

/** `regularly`: looks by itself, soon and then daily. */
export function createIntegrity(
  file: string,
  regularly: boolean,
  log: Pick<Log, 'warn' | 'error'> | undefined,
): Integrity {
  const running = new Set<ChildProcess>();
  let found = false;
  let timer = regularly ? setTimeout(look, FIRST_CHECK_MS).unref() : undefined;

  function tell(findings: readonly string[]): void {
    if (found || findings.length === 0) return;
    found = true;
    log?.error({ file, findings }, ADVICE);
  }

  function look(): void {
    timer = setTimeout(look, INTERVAL_MS).unref();
    check('quick_check').then(tell, (error: unknown) =>
      log?.warn({ err: error }, 'The database could not be checked for damage.'),
    );
  }

  function check(pragma: 'quick_check' | 'integrity_check'): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const args = ['--disable-warning=ExperimentalWarning', SCRIPT, file, `${pragma}(${MAX_FINDINGS})`];
      const child = execFile(process.execPath, args, (error, stdout) => {
        running.delete(child);
        // Ended by `close`: nobody waits any more.
        if (child.killed) return resolve([]);
        if (error !== null) return reject(new Error('The check ended early.', { cause: error }));
        const report = JSON.parse(stdout) as IntegrityReport;
        if ('findings' in report) resolve(report.findings);
        else reject(new Error(report.fault));
      });
      running.add(child);
      standBack(child);
    });
  }

  return {
    damage: () => (found ? ADVICE : null),
    heard(error) {
      if (saysDamage(error)) tell([error instanceof Error ? error.message : String(error)]);
    },
    async verify() {
      const findings = await check('integrity_check');
      tell(findings);
      return findings;
    },
    close() {
      clearTimeout(timer);
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

function saysDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isDamage(error) || DAMAGE_TEXT.test(error.message) || saysDamage(error.cause);
}

function standBack({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // A sandbox that forbids it, or a check that is through already.
  }
}

/** The store with each of its failures heard. */
export function listening<S extends object>(store: S, heard: (error: unknown) => void): S {
  return new Proxy(store, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        if (result instanceof Promise) result.catch(heard);
        return result;
      };
    },
  });
}
