// The program with a push service of the test's own: embedded, or in the production size.
import { startStack } from '#test/faults/stack.ts';
import {
  createKey,
  createSignInLink,
  startProgram,
  temporaryFolder,
  type Program,
} from '#test/program/program.ts';
import { startPushService, type PushService, type TestBrowser } from './push-service.ts';

export interface PushStage {
  /** Somebody with no device, no rules and no task yet. */
  owner(): PushOwner;
  /** Processes that store tasks, in turn. */
  processes: number;
  /** Ends the program, or all workers, as a power cut would, and starts it again. */
  restart(): Promise<void>;
  /** The same with every process, at the same addresses; calls may fail meanwhile. */
  restartAll(): Promise<void>;
  stop(): Promise<void>;
}

export interface PushOwner {
  /** Calls the API as the owner; the body of the answer. */
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answered>;
  /** A browser of the owner's. */
  subscribe(): Promise<TestBrowser & { id: string }>;
  /** Calls the API in a session of the owner's; the body of the answer. */
  inSession(method: 'POST' | 'PUT', path: string, body: object): Promise<Record<string, unknown>>;
  /** Adds a task; its id. */
  add(content: string, fields?: object): Promise<string>;
}

interface Answered {
  status: number;
  body: Record<string, unknown>;
}

export const SUBJECT = 'mailto:operator@example.com';

function environment(service: PushService): Record<string, string> {
  return {
    NODE_EXTRA_CA_CERTS: service.certificate,
    OUTGOING_ALLOW: '127.0.0.1',
    VAPID_SUBJECT: SUBJECT,
    PUBLIC_URL: 'https://qinbox.example.com',
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_HOUR: '1000000',
  };
}

/** What an owner signs in with. */
interface Credentials {
  key: string;
  /** A new sign-in link. */
  link: () => string;
}

function ownerOn(service: PushService, { key, link }: Credentials, url: () => string): PushOwner {
  async function call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const answer = await fetch(`${url()}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }
  return {
    call,
    async subscribe() {
      const browser = service.browser();
      const { endpoint, keys } = browser;
      const { body } = await call('POST', '/push/devices', { endpoint, keys, name: 'Test browser' });
      return Object.assign(browser, { id: (body['device'] as { id: string }).id });
    },
    async inSession(method, path, body) {
      const token = new URLSearchParams(new URL(link()).hash.slice(1)).get('signin');
      const signed = await call('POST', '/auth/link', { token });
      const { accessToken } = signed.body['tokens'] as { accessToken: string };
      const request: RequestInit = {
        method,
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      const answer = await fetch(`${url()}/api/v1${path}`, request);
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    },
    async add(content, fields = {}) {
      const { body } = await call('POST', '/tasks', { content, priority: 'high', ...fields });
      return (body['task'] as { id: string }).id;
    },
  };
}

/** One process with its own file. */
export async function startEmbedded(): Promise<PushStage> {
  const service = await startPushService();
  const folder = temporaryFolder('push');
  const dataDir = folder.path;
  const env = environment(service);
  let program: Program = await startProgram({ dataDir, env });
  let owners = 0;
  async function restart(): Promise<void> {
    await program.kill();
    program = await startProgram({ dataDir, env });
  }
  return {
    owner() {
      const email = `owner${owners++}@example.com`;
      const link = () => createSignInLink(dataDir, program.url, email);
      return ownerOn(service, { key: createKey(dataDir, email), link }, () => program.url);
    },
    processes: 1,
    restart,
    restartAll: restart,
    async stop() {
      await program.kill();
      await service.close();
      folder.remove();
    },
  };
}

/** Two processes of the API and two workers on MongoDB and Redis; calls go to the two in turn. */
export async function startProduction(): Promise<PushStage | { missing: string }> {
  const service = await startPushService();
  const stack = await startStack(environment(service));
  if ('missing' in stack) {
    await service.close();
    return stack;
  }
  let calls = 0;
  let owners = 0;
  return {
    owner() {
      const email = `owner${owners++}@example.com`;
      const key = stack.qinbox('key', 'create', '--email', email, '--name', 'test');
      const link = () =>
        (JSON.parse(stack.qinbox('signin-link', '--email', email, '--json')) as { url: string }).url;
      return ownerOn(service, { key, link }, () => stack.apis[calls++ % 2]?.url ?? '');
    },
    processes: 2,
    async restart() {
      await Promise.all(stack.workers.map((worker) => worker.kill()));
      stack.workers = await Promise.all(stack.workers.map(() => stack.startWorker()));
    },
    async restartAll() {
      const { apis, workers } = stack;
      await Promise.all([...apis, ...workers].map((program) => program.kill()));
      const again = await Promise.all([
        ...apis.map(({ port }) => stack.startApi(port)),
        ...workers.map(() => stack.startWorker()),
      ]);
      stack.apis = again.slice(0, apis.length);
      stack.workers = again.slice(apis.length);
    },
    async stop() {
      await stack.stop();
      await service.close();
    },
  };
}
