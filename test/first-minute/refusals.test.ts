// What an operator sees when Qinbox cannot start: one line that says what to do, an exit code for scripts, no stack.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, plainEnvironment, root, startScript, temporaryFolder } from '#test/program/program.ts';

describe('a start that cannot be', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeAll(() => {
    folder = temporaryFolder('refusals');
  });
  afterAll(() => folder.remove());

  async function startAndEnd(
    env: Record<string, string>,
  ): Promise<{ code: number | null; lines: string[]; stdout: string }> {
    const all = plainEnvironment({
      DATA_DIR: join(folder.path, 'data'),
      PORT: String(await freePort()),
      SMTP_PORT: 'off',
      ...env,
    });
    const { child } = await startScript(join(root, 'api', 'main.ts'), [], all);
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.on('data', (chunk: Buffer) => (text[name] += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, lines: text.stderr.split('\n').filter((line) => line !== ''), stdout: text.stdout };
  }

  test('names the port that is taken, and exits 1', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, lines, stdout } = await startAndEnd({ PORT: String(port) });
    server.close();
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^qinbox: .*${port} is taken`))]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  test('names DATA_DIR when it cannot be written, and exits 78', async () => {
    const file = join(folder.path, 'a-file');
    writeFileSync(file, '');
    const { code, lines, stdout } = await startAndEnd({ DATA_DIR: join(file, 'data') });
    expect(lines).toEqual([expect.stringMatching(/^qinbox: DATA_DIR .*a-file\/data/)]);
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  });

  test.each([
    ['PORT', 'eighty', /whole number/],
    ['PORT', '65536', /65535/],
    ['PUBLIC_URL', 'qinbox.example.com', /https:/],
    ['RATE_LIMIT_PER_MINUTE', '0', /from 1/],
    ['LOG_LEVEL', 'loud', /fatal/],
    ['JWT_SECRET', 'short', /32 characters/],
  ])('names the variable %s=%s and what it must be, and exits 78', async (name, value, mustBe) => {
    const { code, lines, stdout } = await startAndEnd({ [name]: value });
    expect(lines).toEqual([expect.stringMatching(mustBe)]);
    expect(lines[0]).toMatch(new RegExp(`^qinbox: ${name} must be`));
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  });
});
