// Passwords are slow to check on purpose. A caller who tries many makes nobody else wait: not for a write to
// reach the disk, nor for the owner's own sign-in.
import { describe, expect, test } from 'vitest';
import { createKey, runCommand, startProgram, temporaryFolder } from '#test/program/program.ts';

const OWNER = 'owner@example.com';
const PASSWORD = 'correct horse battery';

interface Answer {
  status: number;
  retryAfter: string | null;
  text: string;
}

async function start(env: Record<string, string> = {}) {
  const folder = temporaryFolder('passwords');
  const key = createKey(folder.path);
  const program = await startProgram({
    dataDir: folder.path,
    env: { EMAIL_SIGNIN: 'true', TRUST_PROXY: 'true', ...env },
  });
  const post = async (path: string, body: unknown, headers: Record<string, string>): Promise<Answer> => {
    const response = await fetch(`${program.url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      text: await response.text(),
    };
  };
  return {
    signUp: (from: string) =>
      post('/auth/signup', { name: 'Owner', email: OWNER, password: PASSWORD }, { 'x-forwarded-for': from }),
    signIn: (email: string, password: string, from: string) =>
      post('/auth/login', { email, password }, { 'x-forwarded-for': from }),
    write: () => post('/tasks', { content: 'a task' }, { 'x-api-key': key }),
    signInLink: () => runCommand(folder.path, ['signin-link', '--email', OWNER, '--json']),
    openLink: (token: string, from: string) => post('/auth/link', { token }, { 'x-forwarded-for': from }),
    async [Symbol.asyncDispose]() {
      await program.kill();
      folder.remove();
    },
  };
}

describe('wrong passwords', () => {
  // With one thread to share, a write that needs it comes after every password that does.
  test('are never waited for by a write', async () => {
    await using program = await start({ UV_THREADPOOL_SIZE: '1' });
    await program.write();
    let answered = 0;
    const attempts = Array.from({ length: 8 }, async (_, index) => {
      const answer = await program.signIn(`nobody${index}@example.com`, 'wrong', `192.0.2.${index}`);
      answered++;
      return answer.status;
    });
    // One of them is answered: the others are being checked.
    await Promise.race(attempts);
    const written = await program.write();
    expect(written.status).toBe(201);
    expect(answered).toBeLessThan(5);
    expect(await Promise.all(attempts)).toEqual(attempts.map(() => 401));
  });

  test('from everywhere at once get 401, or a refusal with Retry-After at once', async () => {
    await using program = await start();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        program.signIn(`nobody${index}@example.com`, 'wrong', `2001:db8:${index.toString(16)}::1`),
      ),
    );
    const counts = Object.groupBy(answers, ({ status }) => String(status));
    expect(Object.keys(counts).toSorted()).toEqual(['401', '503']);
    expect(counts['401']?.length).toBeGreaterThanOrEqual(8);
    expect(new Set(counts['503']?.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['2']));
  });

  test('from one network take two places of those who wait', async () => {
    await using program = await start();
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        program.signIn(`nobody${index}@example.com`, 'wrong', `2001:db8:0:1::${index + 1}`),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(9);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  test('of strangers lock the owner out of nothing', async () => {
    await using program = await start();
    const home = '2001:db8:ffff:1::1';
    expect((await program.signUp(home)).status).toBe(201);
    let guessing = true;
    let guesses = 0;
    const strangers = Array.from({ length: 20 }, async (_, stranger) => {
      const seen = new Set<number>();
      while (guessing)
        seen.add(
          (await program.signIn(OWNER, `guess ${guesses++}`, `2001:db8:${stranger}:${guesses % 5000}::1`))
            .status,
        );
      return seen;
    });
    await program.write();
    expect((await program.signIn(OWNER, PASSWORD, '2001:db8:ffff:1::2')).status).toBe(200);
    const url = JSON.parse(program.signInLink()) as { token: string };
    expect((await program.openLink(url.token, '198.51.100.77')).status).toBe(200);
    guessing = false;
    const seen = new Set((await Promise.all(strangers)).flatMap((statuses) => [...statuses]));
    expect([...seen].toSorted()).toEqual([401, 429]);
  });
});
