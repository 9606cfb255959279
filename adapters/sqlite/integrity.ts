// Checks a database file for damage in a process of its own. Damage that a statement reports counts, too.
// Once damaged, a file counts as damaged until the program is started again.
import { execFile, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Log } from '#core/ports/log.ts';
import { isDamage } from './faults.ts';
import type { IntegrityReport } from './integrity-process.ts';

/** The time from the start to the first check, and between checks. */
const FIRST_CHECK_MS = 5000;
const INTERVAL_MS = 24 * 60 * 60_000;
const MAX_FINDINGS = 10;
/** The lowest priority. */
const NICENESS = 19;
const SCRIPT = fileURLToPath(new URL('integrity-process.ts', import.meta.url));
/** SQLite's texts for SQLITE_CORRUPT and SQLITE_NOTADB; from a thread comes only the text of an error. */
const DAMAGE_TEXT = /database disk image is malformed|file is not a database/;
const ADVICE = 'The database is damaged. Run "qinbox doctor", then put back a backup.';

export interface Integrity {
  /** What the operator should do; null while no damage was found. */
  damage: () => string | null;
  /** Takes any error and notices one that reports damage. */
  onError: (error: unknown) => void;
  /** Reads the whole file and compares indexes with tables; at most ten findings. Rejects when it cannot. */
  verify: () => Promise<readonly string[]>;
  /** Ends the check in flight. */
  close: () => void;
}

/** With `regularly` it checks soon, and then daily. */
export function createIntegrity(
  file: string,
  regularly: boolean,
  log: Pick<Log, 'warn' | 'error'> | undefined,
): Integrity {
  const running = new Set<ChildProcess>();
  let found = false;
  let timer = regularly ? setTimeout(checkDaily, FIRST_CHECK_MS).unref() : undefined;

  function report(findings: readonly string[]): void {
    if (found || findings.length === 0) return;
    found = true;
    log?.error({ file, findings }, ADVICE);
  }

  function checkDaily(): void {
    timer = setTimeout(checkDaily, INTERVAL_MS).unref();
    check('quick_check').then(report, (error: unknown) =>
      log?.warn({ err: error }, 'The database could not be checked for damage.'),
    );
  }

  function check(pragma: 'quick_check' | 'integrity_check'): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const args = ['--disable-warning=ExperimentalWarning', SCRIPT, file, `${pragma}(${MAX_FINDINGS})`];
      const child = execFile(process.execPath, args, (error, stdout) => {
        running.delete(child);
        // Ended by `close`.
        if (child.killed) return resolve([]);
        if (error !== null) return reject(new Error('The check ended early.', { cause: error }));
        const result = JSON.parse(stdout) as IntegrityReport;
        if ('findings' in result) resolve(result.findings);
        else reject(new Error(result.fault));
      });
      running.add(child);
      lowerPriority(child);
    });
  }

  return {
    damage: () => (found ? ADVICE : null),
    onError(error) {
      if (reportsDamage(error)) report([error instanceof Error ? error.message : String(error)]);
    },
    async verify() {
      const findings = await check('integrity_check');
      report(findings);
      return findings;
    },
    close() {
      clearTimeout(timer);
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

function reportsDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return isDamage(error) || DAMAGE_TEXT.test(error.message) || reportsDamage(error.cause);
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // A sandbox forbids it, or the check has ended already.
  }
}
