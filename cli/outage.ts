// What the operator's commands say of a store or queue that fails while they work on it. Callers of the API
// are not told what it is made of; the operator has to know which of them to look after.
import { sqliteCode } from '#adapters/sqlite/faults.ts';
import { causeOf } from '#api/health/cause.ts';
import { QinboxError } from '#core/errors.ts';
import type { Command } from './command.ts';
import { operatorConfig } from './operator.ts';
import { databaseFile } from './stores.ts';

/** One line that names what failed, why, and what to do; null for everything that is no outage of a part. */
export function outageText(error: unknown, { rerun }: Pick<Command, 'rerun'>): string | null {
  if (!(error instanceof QinboxError) || error.code !== 'SERVICE_UNAVAILABLE') return null;
  const name = nameOf(error);
  if (name === null) return null;
  const cause = causeOf(error);
  const why = cause === null ? '' : `: ${cause}`;
  return `${name} cannot be read or written right now${why}. ${rerun ?? 'Run this again once that is mended.'}`;
}

/** The program or file behind the part; null where the error names no part that is one. */
function nameOf({ part, cause }: QinboxError): string | null {
  if (part === 'queue') return 'Redis';
  if (part !== 'store') return null;
  return sqliteCode(cause) === null ? 'MongoDB' : databaseFile(operatorConfig());
}
