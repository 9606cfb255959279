// Webhook intakes of a running server, made as the web app makes them, and deliveries to them over persistent
// connections.
import { request, type Agent } from 'node:http';

/** An address with the secret of its sender. */
export interface BenchIntake {
  url: string;
  secret: string;
}

/** Signs in with a sign-in link's token; resolves with a session's access token. */
export async function signIn(url: string, link: string): Promise<string> {
  const { token } = JSON.parse(link) as { token: string };
  const body = await post(`${url}/api/v1/auth/link`, { token });
  return (body as { tokens: { accessToken: string } }).tokens.accessToken;
}

/** Makes an intake of the signed-in owner. */
export async function makeIntake(
  url: string,
  accessToken: string,
  fields: { preset?: string; verification: { scheme: string; secret?: string }; mapping?: object },
): Promise<BenchIntake> {
  const made = await post(
    `${url}/api/v1/intakes`,
    { name: 'bench', adapter: 'webhook', ...fields },
    accessToken,
  );
  const { address } = (made as { intake: { address: string } }).intake;
  return { url: `${url}${new URL(address).pathname}`, secret: fields.verification.secret ?? '' };
}

async function post(url: string, body: object, accessToken?: string): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Delivers over one of the agent's connections; resolves with the status once the whole answer is there. */
export function deliver(
  agent: Agent,
  to: string,
  {
    method = 'POST',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: Buffer },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      to,
      { agent, method, headers: { ...headers, 'content-length': String(body?.length ?? 0) } },
      (answer) => {
        answer.once('end', () => resolve(answer.statusCode ?? 0)).once('error', reject);
        answer.resume();
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
