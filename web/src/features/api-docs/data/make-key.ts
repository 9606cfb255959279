// Keys that are made beside a call, for that call and no more, and revoked there.
import { asRecord } from '../../../lib/json.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { authCall } from '../../../lib/session/auth-calls.ts';
import type { Scope } from '#core/contract/index.ts';
import type { OwnKey } from './page-state.ts';

/** `purpose`: the call's own name, by which the list of keys tells it from others. */
export async function makeKey(purpose: string, scopes: readonly Scope[]): Promise<OwnKey> {
  const name = `API page: ${purpose}`.slice(0, 100);
  const { apiKey } = await authCall('POST /auth/api-keys', {
    body: { name, scopes: [...scopes], description: 'Made on the page of the API documentation.' },
  });
  const { id, key } = asRecord(apiKey);
  if (typeof id !== 'string' || typeof key !== 'string') throw new ApiError('', 'NO_KEY', 201);
  return { key, made: { id, name, scopes } };
}

export async function revokeKey(id: string): Promise<void> {
  await authCall('DELETE /auth/api-keys/:id', { params: { id } });
}
