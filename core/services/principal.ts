// Who is calling, once proven, and what that allows.
import type { Access, Scope } from '../contract/index.ts';
import { isAdministrator, type UserRecord } from '../domain/account.ts';
import { QinboxError } from '../errors.ts';

/** A caller. */
export type Principal =
  /** `ownerId` is the public queue that guests may read, or null where there is none. */
  | { kind: 'guest'; ownerId: string | null }
  /** A signed-in session. */
  | { kind: 'session'; ownerId: string; sessionId: string; user: UserRecord }
  /** An API key. */
  | { kind: 'key'; ownerId: string; keyId: string; scopes: readonly Scope[]; expiresAt: number | null };

/** A caller who proved who it is. */
export type SignedIn = Exclude<Principal, { kind: 'guest' }>;

/** What a caller's rate limits and idempotency keys are counted under. */
export function principalKey(principal: SignedIn): string {
  return principal.kind === 'key' ? `key:${principal.keyId}` : `user:${principal.ownerId}`;
}

/** What an API key needs for each access: one of these lists, whole. */
const SCOPES_FOR: Partial<Record<Access, readonly (readonly Scope[])[]>> = {
  guest: [['read']],
  read: [['read']],
  write: [['write']],
  'read-write': [['read', 'write']],
  create: [['write'], ['ingest']],
};

/** Whether a caller may read tasks. One who may not is shown none, also in the answers to its writes. */
export function mayRead(principal: SignedIn): boolean {
  return principal.kind === 'session' || principal.scopes.includes('read');
}

/** Whether a caller may change tasks. */
export function mayWrite(principal: SignedIn): boolean {
  return principal.kind === 'session' || principal.scopes.includes('write');
}

/** Throws UNAUTHORIZED, INSUFFICIENT_SCOPE or FORBIDDEN unless the caller has this access. */
export function authorise(principal: Principal, access: Access): void {
  if (access === 'public' || access === 'metrics') return;
  if (principal.kind === 'guest') {
    if (access === 'guest' && principal.ownerId !== null) return;
    throw new QinboxError('UNAUTHORIZED');
  }
  if (principal.kind === 'key') {
    if (access === 'session' || access === 'admin')
      throw new QinboxError('FORBIDDEN', 'An API key cannot do this. Sign in instead.');
    const needed = SCOPES_FOR[access];
    const has = (scope: Scope) => principal.scopes.includes(scope);
    if (needed !== undefined && !needed.some((scopes) => scopes.every(has)))
      throw new QinboxError(
        'INSUFFICIENT_SCOPE',
        `This call needs an API key with the scope ${needed.map((scopes) => scopes.join(' and ')).join(' or ')}. This key has: ${principal.scopes.join(', ')}.`,
      );
    return;
  }
  if (access === 'admin' && !isAdministrator(principal.user))
    throw new QinboxError('FORBIDDEN', 'You need administrator privileges to do this.');
}

/** Whether a caller may still do what it began: something that takes longer than a moment asks again. */
export type IsAllowed = () => Promise<boolean>;

/** Throws UNAUTHORIZED, after `undo`, when what was allowed at first no longer is. */
export async function requireAllowed(
  isAllowed: IsAllowed,
  undo: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  if (await isAllowed()) return;
  await undo();
  throw new QinboxError('UNAUTHORIZED', 'This session has ended. Sign in again.');
}
