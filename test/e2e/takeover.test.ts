// Signing up with an address without proving it gives nobody a lasting hold on it: proving it later ends
// everything of the first account.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startStack } from '#test/faults/stack.ts';
import { startIssuer, type Issuer } from '#test/helpers/issuer.ts';
import {
  commandLine,
  plainEnvironment,
  root,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { createSender, SIGNING_SECRET, type Sender } from '#test/slack/sender.ts';
import { BOT_TOKEN, startStandIn, type StandIn } from '#test/slack/stand-in.ts';
import { call, squat, type Json, type Session } from './squatter.ts';

/** Where the attack takes place. */
interface Scene {
  url: string;
  slack: Sender;
  issuer: Issuer;
  /** Runs the operator's command; returns its output and its messages. */
  operator(...args: string[]): { code: number | null; out: string; err: string };
}

const DOMAIN = 'company.example';

/** Runs the qinbox command and answers all that it said. */
function operator(env: Record<string, string>, args: readonly string[]) {
  const ran = spawnSync(process.execPath, [commandLine(), ...args], {
    cwd: root,
    env: plainEnvironment(env),
    encoding: 'utf8',
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}

const signInWith = async ({ url }: Scene, path: string, body: object) => {
  const { status, body: answer } = await call(url, 'POST', path, { body });
  return { status, user: answer['user'] as Json, session: answer['tokens'] as Session };
};
const withLink = (scene: Scene, printed: string) =>
  signInWith(scene, '/auth/link', { token: (JSON.parse(printed) as { token: string }).token });

/** Each way to prove an address, and how its owner then signs in. */
const WAYS: [name: string, prove: (scene: Scene, email: string) => Promise<string | null>][] = [
  [
    'a sign-in link',
    async (scene, email) => {
      const { out, err } = scene.operator('signin-link', '--email', email, '--json');
      const { status, user, session } = await withLink(scene, out);
      expect([status, user]).toEqual([200, expect.objectContaining({ email, email_verified: true })]);
      expect((await call(scene.url, 'GET', '/auth/profile', { token: session.accessToken })).status).toBe(
        200,
      );
      return err;
    },
  ],
  [
    'Google',
    async (scene, email) => {
      const idToken = await scene.issuer.token(Date.now(), { email });
      const { status, user, session } = await signInWith(scene, '/auth/google', { idToken });
      expect([status, user]).toEqual([
        200,
        expect.objectContaining({ email, email_verified: true, auth_provider: 'google' }),
      ]);
      expect((await call(scene.url, 'GET', '/auth/profile', { token: session.accessToken })).status).toBe(
        200,
      );
      return null;
    },
  ],
  [
    'key create',
    async (scene, email) => {
      const { out, err } = scene.operator('key', 'create', '--email', email, '--name', 'cron');
      expect((await call(scene.url, 'GET', '/tasks', { key: out.trim() })).status).toBe(200);
      return err;
    },
  ],
  [
    'user admin',
    async (scene, email) => {
      const { out, err } = scene.operator('user', 'admin', email);
      expect(out).toContain('is an administrator');
      const { user, session } = await withLink(
        scene,
        scene.operator('signin-link', '--email', email, '--json').out,
      );
      expect(user).toMatchObject({ is_admin: true });
      expect((await call(scene.url, 'GET', '/admin/overview', { token: session.accessToken })).status).toBe(
        200,
      );
      return err;
    },
  ],
  [
    'user add',
    async (scene, email) => {
      const { code, err } = scene.operator('user', 'add', email, '--name', 'Ann');
      expect(code).toBe(0);
      const { user } = await withLink(scene, scene.operator('signin-link', '--email', email, '--json').out);
      expect(user).toMatchObject({ name: 'Ann', is_admin: false });
      return err;
    },
  ],
];

const common = (issuer: Issuer, slack: StandIn) => ({
  EMAIL_SIGNIN: 'true',
  TRUST_PROXY: 'true',
  ALLOWED_DOMAINS: DOMAIN,
  GOOGLE_CLIENT_ID: issuer.clientId,
  GOOGLE_ISSUER: issuer.url,
  GOOGLE_JWKS_URL: issuer.jwksUrl,
  SLACK_SIGNING_SECRET: SIGNING_SECRET,
  SLACK_BOT_TOKEN: BOT_TOKEN,
  SLACK_API_URL: slack.apiUrl,
});

function describeTakeover(scene: () => Scene): void {
  test.each(WAYS)('%s shuts out the user who had signed up with the address', async (name, prove) => {
    const email = `${name.replaceAll(/\W/g, '-').toLowerCase()}@${DOMAIN}`;
    const squatter = await squat(scene().url, scene().slack, email);
    await squatter.expectIn();
    const said = await prove(scene(), email);
    await squatter.expectOut();
    if (said !== null) expect(said).toMatch(/without proving it.*shut out|shut out.*without proving it/);
    // Once is enough: what the address's own holder does from now on stays.
    const key = scene().operator('key', 'create', '--email', email, '--name', 'kept');
    expect(key.err).not.toContain('shut out');
    scene().operator('user', 'admin', email);
    expect((await call(scene().url, 'GET', '/tasks', { key: key.out.trim() })).status).toBe(200);
  });
}

describe('in the embedded size', () => {
  const folder = temporaryFolder('takeover');
  let issuer: Issuer;
  let slack: StandIn;
  let program: Program;
  let scene: Scene;
  beforeAll(async () => {
    [issuer, slack] = await Promise.all([startIssuer(), startStandIn()]);
    const env = common(issuer, slack);
    program = await startProgram({ dataDir: folder.path, env });
    scene = {
      url: program.url,
      issuer,
      slack: createSender(program.url, Date.now),
      operator: (...args) => operator({ ...env, DATA_DIR: folder.path, SMTP_PORT: 'off' }, args),
    };
  });
  afterAll(async () => {
    await program.stop();
    await Promise.all([issuer.stop(), slack.close()]);
    folder.remove();
  });
  describeTakeover(() => scene);
});

describe('in the production size', () => {
  let issuer: Issuer;
  let standIn: StandIn;
  let stack: Awaited<ReturnType<typeof startStack>>;
  let scene: Scene;
  beforeAll(async () => {
    [issuer, standIn] = await Promise.all([startIssuer(), startStandIn()]);
    stack = await startStack(common(issuer, standIn));
    if ('missing' in stack) return;
    const { apis, env, startSlack } = stack;
    const forSlack = await startSlack();
    scene = {
      url: (apis[0] as Program).url,
      issuer,
      slack: createSender(forSlack.url, Date.now),
      operator: (...args) => operator(env, args),
    };
  });
  beforeEach(({ skip }) => {
    if ('missing' in stack) skip(stack.missing);
  });
  afterAll(async () => {
    if ('stop' in stack) await stack.stop();
    await Promise.all([issuer.stop(), standIn.close()]);
  });
  describeTakeover(() => scene);
});
