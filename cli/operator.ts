// Opens the server's own store for the operator's commands, beside a running server or without one.
import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { compose } from '#api/compose.ts';
import type { Parts } from '#api/parts.ts';
import { readConfig, type Config } from '#core/config.ts';
import { LOCAL_OWNER_EMAIL } from '#core/services/accounts.ts';
import type { UserRecord } from '#core/domain/account.ts';
import type { Output } from './command.ts';

/** The same configuration that the server reads. */
export function operatorConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig(process.env);
}

/** Opens the store, does the work, closes it. */
export async function withStore<T>(work: (parts: Parts) => Promise<T>): Promise<T> {
  const parts = await compose(operatorConfig(), { background: false, log: pino({ level: 'silent' }) });
  try {
    return await work(parts);
  } finally {
    await parts.close();
  }
}

/** The user with this e-mail, made when there is none; the install's own owner when none is named. */
export async function ownerFor(
  { accounts, storage }: Parts,
  email: string | undefined,
  output: Output,
): Promise<UserRecord> {
  if (email === undefined)
    return (await accounts.ensureUser(LOCAL_OWNER_EMAIL, { name: 'Owner', isAdmin: true })).user;
  const first = (await storage.accounts.listUsers()).length === 0;
  const { user, created } = await accounts.ensureUser(email, { isAdmin: first });
  if (created) output.note(`Made the user ${user.email}${first ? ', an administrator' : ''}.`);
  return user;
}
