// A real Qinbox of the embedded size with one adapter, in this process, on a free port and in a folder of its
// own. Its store can be made to fail or to wait.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { buildApp } from '#api/app.ts';
import { compose } from '#api/compose.ts';
import type { Parts } from '#api/services/services.ts';
import { readConfig } from '#core/config.ts';
import type { Task } from '#core/domain/task.ts';
import { QinboxError } from '#core/errors.ts';
import type { ContractOptions, Sender, ServerAddress } from './sender.ts';

const OWNER = 'owner@example.com';
const WAIT_MS = 60_000;
const WARN = 40;

/** Answers of the store: as it is, a fault, or none until it is let go. */
type StoreMode = 'works' | 'fails' | 'waits';

export type TestServer = Awaited<ReturnType<typeof startServer>>;

export interface Place {
  options: ContractOptions;
  folder: string;
}

export interface StartOptions {
  /** Instead of the sender's. */
  env?: Readonly<Record<string, string>>;
  /** Whether to go on before the adapter says that it works. */
  isEarly?: boolean;
}

/** Gives a test a folder and a sender; both are gone when it ends. */
export async function withSender(
  options: ContractOptions,
  test: (sender: Sender, start: (options?: StartOptions) => Promise<TestServer>) => Promise<void>,
  owner = OWNER,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'qinbox-contract-'));
  const servers: TestServer[] = [];
  const sender = await options.openSender(owner);
  try {
    await test(sender, async ({ env = sender.env, isEarly = false } = {}) => {
      const server = await startServer({ options, folder }, env);
      servers.push(server);
      // What is sent before may be its past to the adapter, or get lost.
      if (!isEarly)
        await waitFor('`ok: true` in its state', () => server.state()?.ok !== false).catch(
          (error: unknown) => {
            throw new Error(`${String(error)}; the log:\n${server.logged()}`, { cause: error });
          },
        );
      return server;
    });
  } finally {
    for (const server of servers) await server.stop();
    await sender.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function startServer({ options, folder }: Place, env: Readonly<Record<string, string>>) {
  const { adapter } = options;
  const lines: string[] = [];
  const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(line) });
  const config = readConfig({ DATA_DIR: folder, PORT: '0', SMTP_PORT: 'off', ...env });
  const parts = await compose(config, { log, adapters: [adapter] });
  const store = createStoreSwitch();
  const { user } = await parts.accounts.ensureUser(OWNER);
  const app = await buildApp(store.around(parts));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const address: ServerAddress = { url, intake: await intakeOf(parts, options, user.id, url) };
  const running = parts.adapters.running.get(adapter.id);
  let stopping: Promise<void> | undefined;

  const logged = () => lines.join('');
  const state = () => running?.state?.() ?? null;
  const tasks = async (): Promise<readonly Task[]> =>
    (await parts.inbox.list({ ownerId: user.id, filter: {}, limit: 1000, offset: 0 })).tasks;
  const stop = () => (stopping ??= app.close());
  return {
    address,
    store,
    isOn: running !== undefined,
    state,
    logged,
    tasks,
    stop,
    /** Whether the adapter has told of something wrong, in the log or in its state. */
    complains: (): boolean =>
      state()?.ok === false ||
      lines.some((line) => {
        const entry = JSON.parse(line) as { level: number; adapter?: string };
        return entry.adapter === adapter.id && entry.level >= WARN;
      }),
    acknowledge: (id: string) => parts.inbox.acknowledge({ ownerId: user.id, id }),
    /** Sends until it is taken. */
    async deliver(sender: Sender, number: number): Promise<void> {
      await waitFor(`message ${number} to be taken`, () =>
        sender.send(number, address).then(
          () => true,
          () => false,
        ),
      );
    },
    /** Resolves with the task of a message, once there is one. `hint` is a likely cause, if there is none. */
    taskOf: (sender: Sender, number: number, hint?: string): Promise<Task> =>
      waitFor(
        `a task that says "${sender.content(number)}"${hint === undefined ? '' : `; ${hint}`}`,
        async () => (await tasks()).find(({ content }) => content.includes(sender.content(number))),
        options.waitSeconds === undefined ? WAIT_MS : options.waitSeconds * 1000,
      ),
    /** Everything that the adapter shows: its state, its log, its tasks. */
    shown: async () => `${JSON.stringify([state(), await tasks()])}${logged()}`,
  };
}

async function intakeOf(
  parts: Parts,
  { adapter, intake = {} }: ContractOptions,
  ownerId: string,
  publicUrl: string,
): Promise<ServerAddress['intake']> {
  const kind = parts.adapters.kind(adapter.id);
  if (kind === undefined) return null;
  const [known] = await parts.intakes.list(ownerId);
  const made =
    known ?? (await parts.intakes.create(ownerId, { ...intake, name: 'test', adapter: adapter.id }));
  const token = parts.intakeEncryption.tokenOf(made) ?? '';
  return { token, address: kind.address(token, { publicUrl, smtpDomain: 'localhost' }) };
}

function createStoreSwitch() {
  let mode: StoreMode = 'works';
  let attempts = 0;
  let open = Promise.withResolvers<void>();

  const switched =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      attempts++;
      if (mode === 'fails') throw new QinboxError('SERVICE_UNAVAILABLE');
      if (mode === 'waits') await open.promise;
      return work(...args);
    };
  return {
    /** How often the adapter has tried to store something. */
    attempts: () => attempts,
    set(next: StoreMode): void {
      mode = next;
      if (next === 'waits') open = Promise.withResolvers();
      else open.resolve();
    },
    around: (parts: Parts): Parts => ({
      ...parts,
      submissions: { ...parts.submissions, store: switched(parts.submissions.store) },
      intakeService: { ...parts.intakeService, ingest: switched(parts.intakeService.ingest) },
    }),
  };
}

/** Asks until the answer is something; rejects after `waitMs` with what was waited for. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T> | T,
  waitMs = WAIT_MS,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== null && answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${waitMs / 1000} seconds in vain for ${what}`);
    await pause(25);
  }
}
