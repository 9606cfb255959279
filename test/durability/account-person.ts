// Users of an account that is put through kills: each of their calls is made again until it is answered.
import { waitFor } from '#test/program/wait.ts';
import type { AccountStage } from './account-stage.ts';

interface Answer {
  status: number;
  body: Record<string, never>;
}

/** Through restarts of every process, as many as are asked for. */
const CALL_MS = 20 * 60_000;

/** An access token is good for 15 minutes. */
const RENEW_MS = 10 * 60_000;

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

/** Calls in the name of a user, made again while nobody answers; at most one import at a time is taken. */
export async function signIn(stage: AccountStage, email: string) {
  const printed = stage.qinbox('signin-link', '--email', email, '--json');
  const { hash } = new URL((JSON.parse(printed) as { url: string }).url);
  const signin = new URLSearchParams(hash.slice(1)).get('signin') ?? '';
  const post = (path: string, body: object) =>
    fetch(`${stage.urls[0]}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const signed = (await (await post('/auth/link', { token: signin })).json()) as {
    user: { id: string };
    tokens: Tokens;
  };
  let { tokens } = signed;
  let renewedAt = performance.now();
  async function renew(): Promise<void> {
    if (performance.now() - renewedAt < RENEW_MS) return;
    const answer = await post('/auth/refresh', { refreshToken: tokens.refreshToken }).catch(() => null);
    if (answer?.ok !== true) return;
    ({ tokens } = (await answer.json()) as { tokens: Tokens });
    renewedAt = performance.now();
  }
  const call = (method: string, path: string, body?: object): Promise<Answer> =>
    waitFor(
      `${method} ${path}`,
      async () => {
        await renew();
        const answer = await fetch(`${stage.urls[0]}/api/v1${path}`, {
          method,
          headers: {
            authorization: `Bearer ${tokens.accessToken}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }).catch(() => null);
        if (answer === null || answer.status >= 500 || answer.status === 409) return null;
        return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Answer['body'] };
      },
      CALL_MS,
    );
  return { id: signed.user.id, token: () => tokens.accessToken, call };
}

export type Person = Awaited<ReturnType<typeof signIn>>;
