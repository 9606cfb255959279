// Renews the access token once for all calls that need it, in all tabs: the refresh token changes each time,
// and using an old one would end the session.
import type { Tokens } from '#core/contract/index.ts';
import { asRecord } from '../json.ts';
import type { Session } from '../session/session.ts';
import { ApiError } from './api-error.ts';

interface Dependencies {
  session: Session;
  post: (path: string, body: unknown) => Promise<unknown>;
  exclusively: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
}

/**
 * Resolves once `session` has an access token other than `usedToken`. When the server refuses, the session is
 * expired; when it cannot be asked (no network, 429, 502 to 504), only the error is thrown.
 */
export function createTokenRefresh({ session, post, exclusively = (work) => work() }: Dependencies) {
  let inFlight: Promise<void> | null = null;

  async function refresh(usedToken: string | null): Promise<void> {
    // Another request or tab was quicker.
    if (session.accessToken !== null && session.accessToken !== usedToken) return;
    const { refreshToken } = session;
    if (refreshToken === null) {
      session.expire();
      throw new ApiError('No refresh token available', 'UNAUTHORIZED', 401);
    }
    try {
      session.storeTokens(tokensOf(await post('/auth/refresh', { refreshToken })));
    } catch (error) {
      if (!(error instanceof ApiError && error.temporary)) session.expire();
      throw error instanceof ApiError && error.message === ''
        ? new ApiError('Token refresh failed', error.code, error.status)
        : error;
    }
  }

  return (usedToken: string | null): Promise<void> => {
    inFlight ??= exclusively(() => refresh(usedToken)).finally(() => {
      inFlight = null;
    });
    return inFlight;
  };
}

function tokensOf(answer: unknown): Tokens {
  const { success, tokens } = asRecord(answer);
  const { accessToken, refreshToken } = asRecord(tokens);
  if (success !== undefined && typeof accessToken === 'string' && typeof refreshToken === 'string')
    return { accessToken, refreshToken };
  throw new ApiError('Token refresh failed', 'INVALID_ANSWER', 200);
}
