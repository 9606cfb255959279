// The operator's commands on the account of one user: its file, taken in again, and its end.
import { constants } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { parseJson } from '#api/plugins/body.ts';
import { faultsOf, validatorOf } from '#api/plugins/validation.ts';
import { accountFile } from '#api/present/account-file.ts';
import type { Parts } from '#api/services/services.ts';
import { AccountFile, ACCOUNT_KINDS, type AccountImport, type AccountKind } from '#core/contract/index.ts';
import { isBeingDeleted } from '#core/domain/account.ts';
import { QinboxError } from '#core/errors.ts';
import { newerFileFault } from '#core/services/account/import.ts';
import { hasOption, onlyPositional, textOption, UsageError, usageOf, type Command } from '../command.ts';
import { jsonOption } from '../client/options.ts';
import { printable } from '../client/printable.ts';
import { writeNewFile } from '../new-file.ts';
import { changeStore, withStore } from '../operator.ts';
import { userNamed } from './operator.ts';

/** Faults of a file that are told at once. */
const MOST_TOLD = 5;

const NAMES: Record<AccountKind, string> = {
  intakes: 'intakes',
  webhooks: 'webhooks',
  views: 'saved views',
  pushRules: 'choices of pushes',
  escalations: 'escalations',
  digest: 'digest',
  keys: 'API keys',
  tasks: 'tasks',
};

const userExport: Command = {
  name: 'user export',
  usage: 'EMAIL --to FILE',
  summary: 'write the account of a user into a file, without secrets',
  options: { to: { type: 'string', value: 'FILE', help: 'the file, which must not be there' } },
  rerun: 'No file was written. Run this again once that is mended.',
  run: (words, output) =>
    withStore(async (parts) => {
      const address = onlyPositional(userExport, words);
      const file = textOption(words, 'to');
      if (file === undefined) throw new UsageError(usageOf(userExport));
      const user = await userNamed(parts, address);
      const text = await textOf(parts, user.id);
      await writeNewFile(file, async (out) => {
        for await (const part of text) await out.writeFile(part);
      });
      output.print(`Written to ${file}. It has no secret; docs/account.md says what is to be made again.`);
    }),
};

const userImport: Command = {
  name: 'user import',
  usage: 'FILE [--email E] [--dry-run] [--json]',
  summary: 'take such a file into the account of a user, also a large one',
  options: {
    email: { type: 'string', value: 'E', help: 'into whose account; as the file says when not given' },
    'dry-run': { type: 'boolean', help: 'only say what would be done' },
    ...jsonOption,
  },
  rerun: 'Running this again completes it: what was taken stays.',
  run: (words, output) =>
    changeStore(output, async (parts) => {
      const name = onlyPositional(userImport, words);
      const file = await readAccountFile(name);
      const { id, email } = await userNamed(parts, textOption(words, 'email') ?? file.profile.email);
      const isAllowed = () => isThere(parts, id);
      if (!(await isAllowed())) throw new Error(`The account of ${email} is being deleted.`);
      const dryRun = hasOption(words, 'dry-run');
      const done = await importInto(parts, id, file, { dryRun, isAllowed });
      if (hasOption(words, 'json')) return output.print(JSON.stringify(done));
      output.print(`${dryRun ? 'Would be taken' : 'Taken'} from ${name} into the account of ${email}:`);
      for (const line of linesOf(done)) output.print(line);
    }),
};

const userDelete: Command = {
  name: 'user delete',
  usage: 'EMAIL --confirm EMAIL',
  summary: 'delete a user with all that is stored of them',
  options: { confirm: { type: 'string', value: 'EMAIL', help: 'the address again; there is no way back' } },
  rerun: 'Running this again completes it.',
  run: (words, output) =>
    changeStore(output, async (parts) => {
      const user = await userNamed(parts, onlyPositional(userDelete, words));
      if (textOption(words, 'confirm') !== user.email)
        throw new UsageError(`This cannot be undone. Say it again: --confirm ${user.email}`);
      await parts.deletion.deleteFor(user);
      output.print(
        `${user.email} is shut out. What is stored goes within two minutes, or when the server starts.`,
      );
    }),
};

async function textOf(parts: Parts, ownerId: string): Promise<AsyncIterable<string>> {
  const contents = await parts.exports.contents(ownerId);
  return accountFile(parts, contents, parts.exports.tasks(ownerId), parts.clock.now());
}

/** What a file has, checked as the API checks it. */
async function readAccountFile(name: string): Promise<AccountFile> {
  const value = await readJson(name);
  const newer = newerFileFault(value);
  if (newer !== null) throw new Error(`${name}: ${newer.message}. Nothing was changed.`);
  if (validatorOf(AccountFile).Check(value)) return value as AccountFile;
  const faults = faultsOf(AccountFile, value);
  throw new Error(`${name} is no file of an account. Nothing was changed.\n${told(faults)}`);
}

async function readJson(name: string): Promise<unknown> {
  const { size } = await stat(name).catch((error: unknown) => {
    throw new Error(`${name} is not there, or cannot be read.`, { cause: error });
  });
  if (size > constants.MAX_STRING_LENGTH)
    throw new Error(`${name} is larger than 512 MiB, and cannot be taken in. Nothing was changed.`);
  const body = await readFile(name).catch((error: unknown) => {
    throw new Error(`${name} cannot be read.`, { cause: error });
  });
  try {
    return parseJson(body);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${name} was cut off, or is no file of an account: ${message}. Use another copy of it.`, {
      cause: error,
    });
  }
}

async function importInto(
  { importAccount }: Parts,
  ownerId: string,
  file: AccountFile,
  options: Parameters<Parts['importAccount']>[2],
): Promise<AccountImport> {
  try {
    return await importAccount(ownerId, file, options);
  } catch (error) {
    // What failed of the server itself is named where all commands end.
    if (!(error instanceof QinboxError) || error.part !== undefined) throw error;
    if (error.code === 'UNAUTHORIZED')
      throw new Error('The account was deleted meanwhile.', { cause: error });
    // The message has the first.
    const [, ...more] = error.details ?? [];
    throw new Error(`${error.message}\n${told(more)}`.trimEnd(), { cause: error });
  }
}

const told = (faults: readonly { field: string; message: string }[]): string =>
  faults
    .slice(0, MOST_TOLD)
    .map(({ field, message }) => `  ${field}: ${message}`)
    .join('\n');

async function isThere({ storage }: Parts, id: string): Promise<boolean> {
  const user = await storage.accounts.getUser(id);
  return user !== null && !isBeingDeleted(user);
}

function linesOf({ taken, there, leftOut, reasons, toDo }: AccountImport): string[] {
  const numbers = ACCOUNT_KINDS.filter((kind) => taken[kind] + there[kind] + leftOut[kind] > 0).map(
    (kind) =>
      `  ${String(taken[kind]).padStart(7)}  ${NAMES[kind]} (there already: ${there[kind]}, left out: ${leftOut[kind]})`,
  );
  const of = (kind: AccountKind, name: string) =>
    name === '' ? NAMES[kind] : `${NAMES[kind]}, ${printable(name)}`;
  return [
    ...(numbers.length === 0 ? ['  nothing'] : numbers),
    ...reasons.map(({ kind, name, count, reason }) => `Left out: ${of(kind, name)} (${count}). ${reason}`),
    ...toDo.map(({ kind, name, what }) => `To do: ${of(kind, name)}. ${what}`),
  ];
}

export const accountCommands: Command[] = [userExport, userImport, userDelete];
