// Whose credentials these are, as a name under which a browser can keep things apart for several people.
import { asRecord } from '../json.ts';
import type { Session } from './session.ts';

/**
 * By the token's own subject where it has one, so that stored entries never go with another account's
 * credentials. Of an API key only the part that lists show. Null for a guest.
 */
export function accountOf(session: Session): string | null {
  const { accessToken, apiKey, refreshToken } = session;
  if (accessToken !== null || refreshToken !== null) {
    const id = subjectOf(accessToken) ?? session.getState().user?.id;
    return id === undefined ? null : `user:${id}`;
  }
  return apiKey === null ? null : `key:${apiKey.slice(0, 8)}…${apiKey.slice(-4)}`;
}

function subjectOf(token: string | null): string | null {
  const payload = token?.split('.')[1];
  if (payload === undefined) return null;
  try {
    const { sub } = asRecord(JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))));
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
}
