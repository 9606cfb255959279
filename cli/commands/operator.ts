// The operator's commands, on the server's own store: sign-in links, users, keys.
import { linkUrl, publicUrlOf } from '#api/addresses.ts';
import { presentApiKey, presentUser } from '#api/present/accounts.ts';
import { isoTime } from '#api/present/time.ts';
import type { Scope } from '#core/contract/index.ts';
import type { UserRecord } from '#core/domain/account.ts';
import { DEFAULT_SCOPES } from '#core/services/api-keys.ts';
import type { Parts } from '#api/services/services.ts';
import {
  onlyPositional,
  textOption,
  UsageError,
  type Command,
  type Option,
  type Output,
} from '../command.ts';
import { jsonOption } from '../client/options.ts';
import { printable } from '../client/printable.ts';
import { timeText } from '../client/when.ts';
import { changeStore, noteShutOut, operatorConfig, ownerFor, withStore } from '../operator.ts';

const email = {
  email: { type: 'string', value: 'E', help: "whose it is; the install's own owner when not given" },
} satisfies Record<string, Option>;
const DAY_MS = 24 * 60 * 60_000;
/** A date further off is a mistake of typing. */
const MAX_DAYS = 3650;
const SCOPES: readonly Scope[] = ['read', 'write', 'ingest'];

const signinLink: Command = {
  name: 'signin-link',
  usage: '[--email E] [--json]',
  summary: 'print a link that signs in, once, within 15 minutes',
  options: { ...email, ...jsonOption },
  run: (words, output) =>
    changeStore(output, async (parts) => {
      const user = await ownerFor(parts, textOption(words, 'email'), output);
      const { token, expiresAt } = await parts.accounts.createLink(user);
      const url = linkUrl(publicUrlOf(operatorConfig()), token);
      output.print(
        words.values['json'] === true ? JSON.stringify({ url, token, expiresAt: isoTime(expiresAt) }) : url,
      );
    }),
};

const keyCreate: Command = {
  name: 'key create',
  usage: '--name N [--email E] [--scopes read,write] [--days D] [--json]',
  summary: 'make an API key; it is shown this once',
  options: {
    ...email,
    ...jsonOption,
    name: { type: 'string', value: 'N', help: 'what the key is called' },
    scopes: {
      type: 'string',
      value: 'LIST',
      help: `what it may do, separated by commas: ${SCOPES.join(', ')} (${DEFAULT_SCOPES.join(',')})`,
    },
    days: { type: 'string', value: 'D', help: 'after how many days it ends; never when not given' },
  },
  run: (words, output) =>
    changeStore(output, async (parts) => {
      const name = textOption(words, 'name')?.trim() ?? '';
      if (name === '' || name.length > 100)
        throw new UsageError('Give the key a name of 1 to 100 characters: --name cron');
      const scopes = readScopes(textOption(words, 'scopes'));
      const days = readDays(textOption(words, 'days'));
      const expiresAt = days === null ? null : parts.clock.now() + days * DAY_MS;
      const user = await ownerFor(parts, textOption(words, 'email'), output);
      const { key, record } = await parts.apiKeys.create(user.id, { name, scopes, expiresAt });
      const { id, prefix, last4, created_at, expires_at } = presentApiKey(record);
      if (words.values['json'] === true)
        output.print(
          JSON.stringify({ id, key, prefix, last4, name, scopes, email: user.email, created_at, expires_at }),
        );
      else {
        output.print(key);
        output.note(
          `For ${user.email}${expires_at === null ? '' : `, until ${timeText(expires_at)}`}. It is shown this once; keep it safe.`,
        );
      }
    }),
};

const keyList: Command = {
  name: 'key list',
  usage: '[--email E] [--json]',
  summary: 'list active API keys',
  options: { email: { type: 'string', value: 'E', help: 'only those of this user' }, ...jsonOption },
  run: (words, output) =>
    withStore(async (parts) => {
      const wanted = textOption(words, 'email');
      const users =
        wanted === undefined ? await parts.storage.accounts.listUsers() : [await userNamed(parts, wanted)];
      const rows = await Promise.all(
        users.map(async (user) =>
          (await parts.apiKeys.list(user.id)).map((key) => ({ email: user.email, ...presentApiKey(key) })),
        ),
      );
      if (words.values['json'] === true) return output.print(JSON.stringify(rows.flat()));
      for (const key of rows.flat())
        output.print(
          `${key.id}  ${key.prefix}…${key.last4}  ${key.scopes.join(',')}  ${key.email}  ${printable(key.name)}  last used: ${timeOrNever(key.last_used_at)}${key.expires_at === null ? '' : `  expires: ${timeText(key.expires_at)}`}`,
        );
    }),
};

const keyRevoke: Command = {
  name: 'key revoke',
  usage: 'ID',
  summary: 'end an API key at once',
  run: (words, output) =>
    changeStore(output, async (parts) => {
      const id = onlyPositional(keyRevoke, words);
      const { accounts } = parts.storage;
      for (const user of await accounts.listUsers()) {
        if (!(await accounts.listKeys(user.id)).some((key) => key.id === id)) continue;
        await parts.apiKeys.revoke(user.id, id);
        return output.print(`Revoked ${id}.`);
      }
      throw new Error(`There is no active key ${id}. See: qinbox key list`);
    }),
};

const userAdd: Command = {
  name: 'user add',
  usage: 'EMAIL [--name N] [--admin] [--json]',
  summary: 'make a user, who may then come in by any way that proves the address',
  options: {
    ...jsonOption,
    name: { type: 'string', value: 'N', help: 'what the user is called' },
    admin: { type: 'boolean', help: 'an administrator' },
  },
  run: (words, output) =>
    changeStore(output, async (parts) => {
      const name = textOption(words, 'name')?.trim();
      const { user, created, shutOut } = await parts.accounts.ensureUser(onlyPositional(userAdd, words), {
        isAdmin: words.values['admin'] === true,
        ...(name === undefined || name === '' ? {} : { name }),
      });
      if (shutOut) noteShutOut(output, user);
      else if (!created) throw new Error(`There is a user ${user.email} already.`);
      output.print(
        words.values['json'] === true
          ? JSON.stringify(presentUser(user))
          : `Made ${user.email}. Let them in with: qinbox signin-link --email ${user.email}`,
      );
    }),
};

const userList: Command = {
  name: 'user list',
  usage: '[--json]',
  summary: 'list users',
  options: jsonOption,
  run: (words, output) =>
    withStore(async (parts) => {
      const users = (await parts.storage.accounts.listUsers()).map(presentUser);
      if (words.values['json'] === true) return output.print(JSON.stringify(users));
      for (const user of users)
        output.print(
          `${user.email}  ${printable(user.name)}${user.is_admin ? '  admin' : ''}${user.is_active ? '' : '  disabled'}${user.email_verified ? '' : '  not proven'}  last login: ${timeOrNever(user.last_login)}`,
        );
    }),
};

const timeOrNever = (time: string | null): string => (time === null ? 'never' : timeText(time));

const userAdmin = changeCommand(
  'user admin',
  'make a user an administrator, or no longer one',
  'remove',
  async (parts, named, undo, output) => {
    const { user, shutOut } = await parts.users.setAdmin(named.id, !undo);
    if (shutOut) noteShutOut(output, user);
    output.print(`${user.email} is ${undo ? 'no' : 'an'} administrator.`);
  },
);

const userDisable = changeCommand(
  'user disable',
  'shut a user out at once, or let one in again',
  'enable',
  async (parts, { id, email }, undo, output) => {
    await parts.users.setActive(id, undo);
    output.print(undo ? `${email} may sign in.` : `${email} is shut out.`);
  },
);

function changeCommand(
  name: string,
  summary: string,
  undoOption: string,
  change: (parts: Parts, user: UserRecord, undo: boolean, output: Output) => Promise<void>,
): Command {
  const usage = `EMAIL [--${undoOption}]`;
  return {
    name,
    usage,
    summary,
    options: { [undoOption]: { type: 'boolean', help: 'the opposite' } },
    run: (words, output) =>
      changeStore(output, async (parts) => {
        const user = await userNamed(parts, onlyPositional({ name, usage }, words));
        await change(parts, user, words.values[undoOption] === true, output);
      }),
  };
}

/** The user with this e-mail address; throws when there is none. */
export async function userNamed({ accounts }: Parts, address: string): Promise<UserRecord> {
  const user = await accounts.find(address);
  if (user === null) throw new Error(`There is no user ${address}. See: qinbox user list`);
  return user;
}

function readScopes(text: string | undefined): readonly Scope[] {
  if (text === undefined) return DEFAULT_SCOPES;
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !SCOPES.includes(scope as Scope));
  if (unknown !== undefined)
    throw new UsageError(`--scopes must be one or more of ${SCOPES.join(', ')}, separated by commas`);
  return [...new Set(scopes as Scope[])];
}

function readDays(text: string | undefined): number | null {
  if (text === undefined) return null;
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new UsageError(`--days must be a whole number of days from 1 to ${MAX_DAYS}`);
  return days;
}

export const operatorCommands: Command[] = [
  signinLink,
  userAdd,
  userList,
  userAdmin,
  userDisable,
  keyCreate,
  keyList,
  keyRevoke,
];
