// The calls on the own account: its file, what a file would do and did, and its end.
import type { AccountFile, AccountImport, AccountOverview } from '#core/contract/index.ts';
import { MAX_ACCOUNT_FILE_BYTES } from '#core/contract/limits.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { asRecord, parseJson } from '../../../lib/json.ts';
import { queries } from '../../../lib/queries.ts';
import { api, session } from '../../../lib/services.ts';

/** Longer than other calls: a file may have thousands of tasks. */
const FILE_MS = 120_000;
/** The slowest line over which the server takes a file. */
const BYTES_PER_MS = 16;

export const fetchOverview = async (): Promise<AccountOverview> => (await api('GET /account')).account;

/** Gives the browser the file, under a name with the day. */
export async function downloadAccount(): Promise<void> {
  const file = await api('GET /account/export', { timeoutMs: FILE_MS });
  const url = URL.createObjectURL(new Blob([JSON.stringify(file, null, 1)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `qinbox-account-${file.exportedAt.slice(0, 10)}.json`;
  link.click();
  URL.revokeObjectURL(url);
}

/** What is in a file that was chosen. Throws, in words for its reader, where it is none of an account. */
export async function readAccountFile(file: File): Promise<AccountFile> {
  if (file.size > MAX_ACCOUNT_FILE_BYTES)
    throw refusal(
      `This file is larger than ${MAX_ACCOUNT_FILE_BYTES / 1024 / 1024} MB. The operator of the server can take it in: qinbox user import.`,
    );
  const record = asRecord(parseJson(await file.text()));
  if (record?.['qinbox'] !== 'account')
    throw refusal('This is no file of an account. Choose one that was made by Export.');
  return record as AccountFile;
}

const refusal = (message: string) => new ApiError(message, 'VALIDATION_ERROR', 400);

export async function importAccount(file: AccountFile, dryRun: boolean): Promise<AccountImport> {
  const answer = await api('POST /account/import', {
    query: { dryRun },
    body: file,
    timeoutMs: FILE_MS + JSON.stringify(file).length / BYTES_PER_MS,
  });
  if (!dryRun) await queries.invalidateQueries();
  return answer.import;
}

/** Deletes the account; this browser is signed out then. */
export async function deleteAccount(confirm: string, administrator: string): Promise<void> {
  const named = administrator.trim() === '' ? {} : { administrator: administrator.trim() };
  await api('DELETE /account', { body: { confirm, ...named } });
  queries.clear();
  session.clear();
}
