// A person who has signed in to the real program, for tests that need what only people may do.
import { createSignInLink } from './program.ts';

/** Calls the API as that person; rejects what is not answered 2xx. */
export type SignedInCall = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) => Promise<Record<string, unknown>>;

/** Signs in with a one-time link from the command line. */
export async function signIn(dataDir: string, url: string, email = 'me@example.com'): Promise<SignedInCall> {
  const request = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const link = new URL(createSignInLink(dataDir, url, email));
  const token = new URLSearchParams(link.hash.slice(1)).get('signin') ?? '';
  const { tokens } = await request('POST', '/auth/link', { token });
  const { accessToken } = tokens as { accessToken: string };
  return (method, path, body) => request(method, path, body, { authorization: `Bearer ${accessToken}` });
}

/** Makes an intake that takes anything; the token of its address. */
export async function createOpenIntake(call: SignedInCall, preset = 'generic'): Promise<string> {
  const { intake } = await call('POST', '/intakes', {
    name: 'Anything',
    adapter: 'webhook',
    preset,
    verification: { scheme: 'none' },
  });
  return (intake as { address: string }).address.split('/').at(-1) ?? '';
}
