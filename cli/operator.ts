// Opens the server's own store for the operator's commands, beside a running server or without one.
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { compose } from '#api/compose.ts';
import type { Parts } from '#api/services/services.ts';
import { readConfig, type Config } from '#core/config.ts';
import { loadEnvFile } from '#core/env-file.ts';
import { LOCAL_OWNER_EMAIL } from '#core/services/accounts.ts';
import { isProven, type UserRecord } from '#core/domain/account.ts';
import type { Output } from './command.ts';

/** How long other processes may take to be reached. */
const BUS_WAIT_MS = 3000;
const BUS_CHECK_MS = 20;

/** The same configuration that the server reads. */
export function operatorConfig(): Config {
  loadEnvFile(process.env);
  return readConfig(process.env);
}

/** Opens the store, does the work, resolves it. */
export async function withStore<T>(work: (parts: Parts) => Promise<T>): Promise<T> {
  const parts = await compose(operatorConfig(), { background: false, log: pino({ level: 'silent' }) });
  try {
    return await work(parts);
  } finally {
    await parts.close();
  }
}

/** The same for work that changes something: processes that run hear of it, and close what it ended. */
export function changeStore(output: Output, work: (parts: Parts) => Promise<void>): Promise<void> {
  return withStore(async (parts) => {
    await work(parts);
    if (await hasConnected(parts.bus)) parts.bus.publish({ kind: 'access', userId: null });
    else output.note('Redis does not answer: processes that run may take half a minute to notice.');
  });
}

async function hasConnected(bus: Parts['bus']): Promise<boolean> {
  const until = performance.now() + BUS_WAIT_MS;
  while (!bus.isConnected() && performance.now() < until) await setTimeout(BUS_CHECK_MS);
  return bus.isConnected();
}

/**
 * The user with this e-mail address, made when there is none, and proven by being named; the install's own
 * owner when none is named.
 */
export async function ownerFor(
  { accounts, storage }: Parts,
  email: string | undefined,
  output: Output,
): Promise<UserRecord> {
  // A user who signed up before without proof does not count.
  const first = email === undefined || !(await storage.accounts.listUsers()).some(isProven);
  const { user, created, shutOut } = await accounts.ensureUser(email ?? LOCAL_OWNER_EMAIL, {
    isAdmin: first,
    ...(email === undefined ? { name: 'Owner' } : {}),
  });
  if (shutOut) noteShutOut(output, user);
  if (created && email !== undefined)
    output.note(`Made the user ${user.email}${first ? ', an administrator' : ''}.`);
  return user;
}

/** Says that an operator's word has ended what somebody else had begun. */
export function noteShutOut(output: Output, { email }: UserRecord): void {
  output.note(
    `Somebody had signed up as ${email} without proving it, and is shut out: password, sessions, keys, intakes and Slack links have ended.`,
  );
}
