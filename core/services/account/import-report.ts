// Counts what becomes of the parts of an account's file, with the reasons, for its owner.
import { ACCOUNT_KINDS, type AccountImport, type AccountKind } from '#core/contract/index.ts';
import { QinboxError } from '#core/errors.ts';

const MAX_LISTED = 200;

type Numbers = Record<AccountKind, number>;

/** Zero of each kind. */
export function noNumbers(): Numbers {
  return Object.fromEntries(ACCOUNT_KINDS.map((kind) => [kind, 0])) as Numbers;
}

export type ImportReport = ReturnType<typeof createImportReport>;

export function createImportReport(dryRun: boolean) {
  const [taken, there, leftOut] = [noNumbers(), noNumbers(), noNumbers()];
  const reasons: AccountImport['reasons'] = [];
  const toDo: AccountImport['toDo'] = [];

  function leave(kind: AccountKind, name: string, reason: string, count = 1): void {
    leftOut[kind] += count;
    if (reasons.length < MAX_LISTED) reasons.push({ kind, name, count, reason });
  }

  return {
    dryRun,
    take(kind: AccountKind, count = 1): void {
      taken[kind] += count;
    },
    /** How many a dry run would have made by now, which the account does not have yet. */
    coming: (kind: AccountKind): number => (dryRun ? taken[kind] : 0),
    find(kind: AccountKind, count = 1): void {
      there[kind] += count;
    },
    leave,
    note(kind: AccountKind, name: string, what: string): void {
      if (toDo.length < MAX_LISTED) toDo.push({ kind, name, what });
    },
    /** Does a step; one that is refused is left out with the reason, and false is answered. */
    async attempt(kind: AccountKind, name: string, step: () => Promise<unknown>): Promise<boolean> {
      try {
        await step();
        return true;
      } catch (error) {
        if (!(error instanceof QinboxError) || !REFUSALS.has(error.code)) throw error;
        leave(kind, name, error.message);
        return false;
      }
    },
    toAnswer: (): AccountImport => ({ dryRun, taken, there, leftOut, reasons, toDo }),
  };
}

const REFUSALS: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'CONFLICT']);
