// Takes the file of an account into one: what is there stays as it is, so that a second time changes nothing.
// Each part goes the way that its owner's own input goes, through the same checks and limits.
import {
  ACCOUNT_FILE_VERSION,
  ACCOUNT_KINDS,
  type AccountFile,
  type AccountImport,
  type ErrorDetail,
} from '#core/contract/index.ts';
import { contentOf } from '#core/domain/account-file.ts';
import { toDraft } from '#core/domain/task-input.ts';
import { invalid, QinboxError } from '#core/errors.ts';
import type { EventBus } from '#core/ports/event-bus.ts';
import { createImportReport } from './import-report.ts';
import { createSettingsImport, type SettingsParts } from './import-settings.ts';
import { createTasksImport, type TasksParts } from './import-tasks.ts';
import type { IsAllowed } from '#core/services/principal.ts';

interface Parts extends SettingsParts, TasksParts {
  bus: EventBus;
}

/** Imports that this process does at once: each has its whole file in memory. */
const MOST_AT_ONCE = 2;
const MAX_DETAILS = 20;

export interface ImportOptions {
  /** Only says what would be done. */
  dryRun: boolean;
  /** Whether the caller may still do this; what was made for one who may not is taken back. */
  isAllowed: IsAllowed;
}

export function createAccountImport(parts: Parts) {
  const settings = createSettingsImport(parts);
  const tasks = createTasksImport(parts);
  const underWay = new Set<string>();

  /**
   * Checks all of the file, whose form is right, then takes in its parts. VALIDATION_ERROR, with nothing
   * changed, when anything in it is wrong; CONFLICT while another one is taken in for the owner;
   * SERVICE_UNAVAILABLE when the store fails: what was taken in until then stays, and the next time completes
   * it.
   */
  return async (ownerId: string, file: AccountFile, options: ImportOptions): Promise<AccountImport> => {
    requireWhole(file);
    if (underWay.has(ownerId))
      throw new QinboxError('CONFLICT', 'An import is under way already. Wait for its end.', {
        retryAfterSeconds: 5,
      });
    if (underWay.size >= MOST_AT_ONCE)
      throw new QinboxError(
        'SERVICE_UNAVAILABLE',
        'Others import their accounts right now. Try again soon.',
        {
          refusal: 'repeat',
          retryAfterSeconds: 5,
        },
      );
    underWay.add(ownerId);
    const report = createImportReport(options.dryRun);
    try {
      const idOf = await settings(ownerId, file, report, options.isAllowed);
      await tasks(ownerId, file.tasks, idOf, report, options.isAllowed);
    } finally {
      underWay.delete(ownerId);
      // What is on screen and in caches is stale, also after a fault in the middle.
      if (!options.dryRun) {
        parts.bus.publish({ kind: 'access', userId: ownerId });
        parts.bus.publish({ kind: 'reset', ownerId });
      }
    }
    return report.toAnswer();
  };
}

/** The fault of a file of a newer program, whose form may be any, or null. Its form is checked after. */
export function newerFileFault(file: unknown): QinboxError | null {
  const { qinbox, version } = Object(file) as Partial<Record<'qinbox' | 'version', unknown>>;
  if (qinbox !== 'account' || typeof version !== 'number' || version <= ACCOUNT_FILE_VERSION) return null;
  return invalid([
    {
      field: 'version',
      message: `is ${version}, and this server reads files up to ${ACCOUNT_FILE_VERSION}: a newer Qinbox wrote it. Import it there`,
    },
  ]);
}

/** Throws VALIDATION_ERROR for a file that was cut off, or with a task that cannot be. */
function requireWhole(file: AccountFile): void {
  const details: ErrorDetail[] = [];
  for (const kind of ACCOUNT_KINDS) {
    const there = numberIn(file, kind);
    if (there !== file.counts[kind])
      details.push({
        field: `counts/${kind}`,
        message: `says ${file.counts[kind]}, and the file has ${there}: it is damaged. Use another copy of it`,
      });
  }
  for (const [index, task] of file.tasks.entries()) {
    const { priority, tags, metadata, dedupeKey } = task;
    const key = dedupeKey === undefined ? {} : { dedupeKey };
    const draft = toDraft({ content: contentOf(task), priority, tags, metadata, ...key }, `tasks/${index}/`);
    if (!draft.ok) details.push(...draft.details);
    if (!task.source.isWellFormed() || (task.intake !== undefined && !task.intake.name.isWellFormed()))
      details.push({ field: `tasks/${index}`, message: 'must be well-formed Unicode' });
    if (details.length >= MAX_DETAILS) break;
  }
  if (details.length > 0) throw invalid(details.slice(0, MAX_DETAILS));
}

function numberIn(file: AccountFile, kind: (typeof ACCOUNT_KINDS)[number]): number {
  const part = file[kind];
  return Array.isArray(part) ? part.length : Number(part !== null);
}
