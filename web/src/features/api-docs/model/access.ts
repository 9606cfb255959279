// Who may make a call, read from its security in the document: OpenAPI 3.1 has the scopes of a key, and what
// a person must be, where a scheme has its roles. Pure.
import type { Scope } from '#core/contract/index.ts';
import type { Operation } from './document.ts';

export interface CallAccess {
  /** It answers without credentials: always, or where the queue is public. */
  open: 'always' | 'to guests' | 'never';
  /** The scopes of a key that are enough, the fewest rights first; null where no key is taken. */
  keyScopes: readonly Scope[] | null;
  /** Whether a signed-in session is taken. */
  session: boolean;
  administrator: boolean;
  /** It takes the operator's METRICS_TOKEN and nothing else. */
  metrics: boolean;
}

export function accessOf({ security = [] }: Pick<Operation, 'security'>): CallAccess {
  const key = security.find((way) => 'apiKey' in way);
  const session = security.find((way) => 'accessToken' in way);
  const guests = security.some((way) => Object.keys(way).length === 0);
  return {
    open: security.length === 0 ? 'always' : guests ? 'to guests' : 'never',
    keyScopes: key === undefined ? null : ((key['apiKey'] ?? []) as Scope[]),
    session: session !== undefined,
    administrator: session?.['accessToken']?.includes('administrator') === true,
    metrics: security.some((way) => 'metricsToken' in way),
  };
}

/** The scopes of a key for this call and no more; null where a key cannot make it. */
export function narrowestScopes(access: CallAccess): readonly Scope[] | null {
  // Any key will do: the one that may only read changes nothing.
  return access.keyScopes?.length === 0 ? ['read'] : access.keyScopes;
}

/** Which credentials a call takes, in words. */
export function credentialsOf(operation: Operation): string {
  const { open, keyScopes, session, administrator, metrics } = accessOf(operation);
  if (open === 'always') return 'No credentials needed';
  if (metrics) return 'The metrics token of the operator';
  if (administrator) return 'Access token of an administrator';
  const ways = [keyScopes === null ? '' : 'API key', session ? 'access token' : ''];
  const needed = ways.filter(Boolean).join(' or ');
  return `${needed.charAt(0).toUpperCase()}${needed.slice(1)}${open === 'to guests' ? '; guests where the queue is public' : ''}`;
}

/**
 * Calls that change much at once, replace what a person has set, or take something away without being a
 * DELETE.
 */
export const CHANGE_MUCH: ReadonlySet<string> = new Set([
  'changeTasks',
  'acknowledgeTasks',
  'resolveTasks',
  'signOut',
  'rotateIntake',
  'rotateWebhookSecret',
  'editProfile',
  'setDigest',
  'setPushRules',
]);

/** Whether a person is asked before it is sent. */
export function asksFirst(operation: Operation): boolean {
  const { method, operationId } = operation;
  return (
    method === 'DELETE' ||
    CHANGE_MUCH.has(operationId) ||
    (method !== 'GET' && accessOf(operation).administrator)
  );
}
