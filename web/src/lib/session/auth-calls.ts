// Calls of the authentication API. An answer needs its success flag; a refusal without a text gets one.
import { ApiError } from '../api/api-error.ts';
import type { Answer, CallArguments } from '../api/calls.ts';
import { asRecord } from '../json.ts';
import { api } from '../services.ts';

/** The texts of refusals without one. */
const DEFAULTS = {
  'POST /auth/google': 'Authentication failed',
  'POST /auth/signup': 'Signup failed',
  'POST /auth/login': 'Login failed',
  'GET /auth/profile': 'Failed to fetch profile',
  'PUT /auth/profile': 'Failed to update profile',
  'POST /auth/api-keys': 'Failed to create API key',
  'GET /auth/api-keys': 'Failed to list API keys',
  'DELETE /auth/api-keys/:id': 'Failed to revoke API key',
} as const;

type AuthCall = keyof typeof DEFAULTS;

/** The server's own words, or '' where it had none. */
export function serverText(error: unknown): string {
  if (!(error instanceof ApiError)) return '';
  return Object.values<string>(DEFAULTS).includes(error.message) ? '' : error.message;
}

/** As `api`. An error without any answer has no text: the screen has one. */
export async function authCall<K extends AuthCall>(name: K, ...args: CallArguments<K>): Promise<Answer<K>> {
  let answer: Answer<K>;
  try {
    answer = await api(name, ...args);
  } catch (error) {
    if (error instanceof ApiError && error.message === '' && error.status > 0)
      throw new ApiError(DEFAULTS[name], error.code, error.status, error.details);
    throw error;
  }
  if (!asRecord(answer)['success']) throw new ApiError(DEFAULTS[name], 'INVALID_ANSWER', 200);
  return answer;
}
