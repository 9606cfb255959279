// Kills the server again and again while many sessions deliver mail, and tells what became of every message.
// A sender does what the protocol asks of it: what was not answered, or was answered 4xx, it sends again,
// with the same Message-ID.
import { randomInt } from 'node:crypto';
import {
  createKey,
  createSignInLink,
  freePort,
  startProgram,
  temporaryFolder,
} from '#test/program/program.ts';
import { codeOf, mailOf, openClient, type TestClient } from '#test/helpers/mail.ts';
import { waitFor } from '#test/program/wait.ts';
import type { Fates } from './kill-under-load.ts';
import { countContents } from './writers.ts';

/** Below the 600 a minute that an intake takes, with room for what is sent again. */
const PER_INTAKE = 400;
const OWNER = 'writer@example.com';

export interface MailLoad {
  messages: number;
  sessions: number;
  kills: number;
}

/**
 * Delivers through `kills` kills and restarts until every message is answered 250, and compares what was
 * answered with what is there.
 */
export async function killUnderMail({ messages, sessions, kills }: MailLoad): Promise<Fates> {
  const folder = temporaryFolder('mail-kill');
  const [port, mailPort] = [await freePort(), await freePort()];
  const env = { SMTP_PORT: String(mailPort), SMTP_DOMAIN: 'in.example.com' };
  try {
    const key = createKey(folder.path, OWNER);
    const start = () => startProgram({ dataDir: folder.path, port, env });
    let program = await start();
    const addresses = await makeIntakes(program.url, folder.path, Math.ceil(messages / PER_INTAKE));

    const answered = new Set<string>();
    const open = new Set<string>();
    const todo = Array.from({ length: messages }, (_, index) => `mail-${index}-end`);
    const delivering = Promise.all(
      Array.from({ length: sessions }, async () => {
        let client: TestClient | null = null;
        for (let marker = todo.pop(); marker !== undefined; marker = todo.pop()) {
          const address = addresses[Number(marker.split('-')[1]) % addresses.length] ?? '';
          open.add(marker);
          while (open.has(marker)) {
            client ??= await waitFor('the server to be back', () => greet(mailPort), 60_000);
            const code = await deliver(client, address, marker);
            if (code.startsWith('5')) throw new Error(`${marker} was answered ${code}`);
            if (code === '') client = null;
            if (code !== '250 2.6.0') continue;
            answered.add(marker);
            open.delete(marker);
          }
        }
        client?.socket.destroy();
      }),
    );

    let interrupted = 0;
    for (let kill = 0; kill < kills; kill++) {
      // Spread over the whole delivery, at a moment that nobody chose.
      const due = Math.floor(((kill + 0.5) * messages) / kills) + randomInt(0, 20);
      await waitFor('answers', () => answered.size >= Math.min(due, messages - sessions) || null, 300_000);
      await program.kill();
      interrupted += open.size;
      program = await start();
    }
    await delivering;
    const counts = await countContents(port, key);
    await program.stop();
    return {
      answered: answered.size,
      lost: [...answered].filter((marker) => !counts.has(marker)),
      doubled: [...counts].filter(([, count]) => count > 1).map(([marker]) => marker),
      unknown: [...counts.keys()].filter((marker) => !answered.has(marker)),
      interrupted,
    };
  } finally {
    folder.remove();
  }
}

/** Addresses of new mail intakes of the owner. */
async function makeIntakes(url: string, dataDir: string, count: number): Promise<string[]> {
  const call = async (path: string, body: object, token?: string): Promise<Record<string, unknown>> => {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const link = createSignInLink(dataDir, url, OWNER);
  const { tokens } = await call('/auth/link', { token: /[\w-]+$/.exec(link)?.[0] });
  const { accessToken } = tokens as { accessToken: string };
  const made = Array.from({ length: count }, (_, index) =>
    call('/intakes', { name: `mail ${index}`, adapter: 'smtp' }, accessToken),
  );
  return (await Promise.all(made)).map(({ intake }) => (intake as { address: string }).address);
}

/** A session past EHLO, or null while there is no server. */
async function greet(port: number): Promise<TestClient | null> {
  const client = await openClient(port);
  const reply = await client.say('EHLO sender.example.org');
  if (reply.startsWith('250')) return client;
  client.socket.destroy();
  return null;
}

/**
 * The code at the end of the message, or of the first step that was refused; empty when the connection broke.
 */
async function deliver(client: TestClient, address: string, marker: string): Promise<string> {
  const steps = ['RSET', 'MAIL FROM:<sender@example.org>', `RCPT TO:<${address}>`, 'DATA'];
  for (const line of steps) {
    const code = codeOf(await client.say(line));
    if (!/^[23]/.test(code)) return code;
  }
  return codeOf(await client.say(`${mailOf(marker, `This is ${marker}.`)}.`));
}
