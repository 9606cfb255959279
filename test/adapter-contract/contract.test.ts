// The contract suite passes on adapters that hold to it, and names what others break.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { contractTests, startQinbox, type ContractOptions, type Sender } from 'qinbox/testing';
import { afterAll, describe, expect, it, test, vi } from 'vitest';
import { defineAdapter, startPolling, trackWork, Type, type Adapter } from '#api/adapter-host/public.ts';
import letterbox from '#test/helpers/letterbox.ts';
import { root } from '#test/program/program.ts';

/** The adapter that the documentation shows, beside the project's files, from which it takes the port. */
mkdirSync(join(root, 'data'), { recursive: true });
const folder = mkdtempSync(join(root, 'data', 'documented-'));
const file = join(folder, 'syslog.ts');
writeFileSync(
  file,
  /```ts\n([^]*?)```/.exec(readFileSync(join(root, 'docs', 'adapters.md'), 'utf8'))?.[1] ?? '',
);
const { default: syslog } = (await import(pathToFileURL(file).href)) as { default: Adapter<never> };
afterAll(() => rmSync(folder, { recursive: true }));

const says = (number: number) => `Message no. ${number}.`;
/** What `logger` of util-linux sends between the time and the text. */
const DATA = 'nas root - - [timeQuality tzKnown="1" isSynced="0"]';

async function openSyslogSender(owner: string) {
  const free = createSocket('udp4').bind(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address();
  await new Promise<void>((done) => free.close(done));
  const socket = createSocket('udp4');
  const send = (text: string) =>
    new Promise<void>((done, fail) =>
      socket.send(text, port, '127.0.0.1', (error) => (error === null ? done() : fail(error))),
    );
  return {
    env: { SYSLOG_PORT: String(port), SYSLOG_OWNER: owner },
    send: (number: number) => send(`<11>1 2026-11-21T09:00:00Z ${DATA} ${says(number)}`),
    sendOld: (number: number) => send(`<11>Nov 21 09:00:00 nas root: ${says(number)}`),
    content: says,
    sendNonsense: () => send('no syslog'),
    close: () => new Promise<void>((done) => socket.close(done)),
  };
}

const SECRET = 'word of the sender';

function openLetterWriter(): Sender {
  const post = async (number: number, headers: Record<string, string>, url: string) => {
    const body = `n${number}: ${says(number)}`;
    const { ok, status } = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'x-letter-id': `${number}`, ...headers },
    });
    if (!ok) throw new Error(`the letter was answered ${status}`);
  };
  return {
    env: {},
    send: (number, { url, intake }) => post(number, { 'x-word': SECRET }, `${url}/letters/${intake?.token}`),
    content: says,
    sendNonsense: async ({ url, intake }) =>
      void (await fetch(`${url}/letters/${intake?.token}`, { method: 'POST' })),
    sendForged: (number, { url, intake }) =>
      post(number, { 'x-word': 'guessed' }, `${url}/letters/${intake?.token}`),
    close: async () => undefined,
  };
}

const letters: ContractOptions = {
  adapter: letterbox as Adapter<never>,
  openSender: openLetterWriter,
  connects: false,
  proves: true,
  intake: { verification: { scheme: 'word', secret: SECRET } },
};

describe('passes on', () => {
  const documented = contractTests({
    adapter: syslog,
    openSender: openSyslogSender,
    connects: false,
    repeats: false,
  });
  const withIntakes = contractTests(letters);

  it.each([...documented, ...withIntakes])('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

test('the adapter that is shown makes one text of both forms of syslog', async () => {
  const sender = await openSyslogSender('owner@example.com');
  const qinbox = await startQinbox({ adapter: syslog, env: sender.env });
  const contents = async () => (await qinbox.tasks()).map(({ content }) => content);
  await sender.send(1);
  await vi.waitFor(async () => expect(await contents()).toEqual([`nas root: ${says(1)}`]), {
    timeout: 10_000,
  });
  await sender.sendOld(1);
  await vi.waitFor(async () => expect((await qinbox.tasks())[0]?.occurrences).toBe(2), { timeout: 10_000 });
  expect(await contents()).toHaveLength(1);
  await qinbox.stop();
  await sender.close();
});

/** What an adapter may do wrong. */
interface Faults {
  repeats?: true;
  forgets?: true;
  leavesWork?: true;
  tells?: true;
  notesEarly?: true;
  namesNoSecret?: true;
  advice?: string;
}

/** An adapter that asks for a list of numbers, with faults. */
function listAdapter(list: ReadonlySet<number>, faults: Faults): Adapter<never> {
  const noted = new Set<number>();
  return defineAdapter<{ secret: string | null; every: number }>({
    id: 'list',
    portVersion: '1.0',
    configSchema: Type.Object({
      secret: Type.String(),
      every: Type.Integer({ default: 5, description: faults.advice ?? 'must be a number' }),
    }),
    environment: { secret: 'LIST_SECRET', every: 'LIST_EVERY' },
    secretFields: faults.namesNoSecret === true ? [] : ['secret'],
    isOn: ({ secret }) => secret !== null,
    start({ config, findOwner, submit, log }) {
      const work = trackWork(log);
      // What is noted lasts longer than the adapter, as it does in a store and at a broker.
      const seen = faults.notesEarly === true ? noted : new Set<number>();
      const polling = startPolling({
        everyMs: config.every,
        log,
        async poll() {
          const ownerId = (await findOwner('owner@example.com')) ?? '';
          for (const number of list) {
            if (seen.has(number) && faults.repeats === undefined) continue;
            seen.add(number);
            const replayKey = (faults.repeats ?? faults.forgets) ? null : String(number);
            const task = { content: says(number) };
            const submitted = submit({ ownerId, tasks: [task], replayKey, requestId: 'list' });
            if (faults.leavesWork === true) work.add(submitted);
            else await submitted;
          }
          if (faults.tells === true) log.info(config, 'polled');
          return 'polled';
        },
      });
      return polling;
    },
  });
}

describe('names', () => {
  function testOf(name: string, faults: Faults) {
    const list = new Set<number>();
    const openSender = (): Sender => ({
      env: { LIST_SECRET: SECRET },
      send: async (number) => void list.add(number),
      content: says,
      sendNonsense: async () => undefined,
      close: async () => list.clear(),
    });
    const tests = contractTests({
      adapter: listAdapter(list, faults),
      openSender,
      connects: false,
      waits: true,
      waitSeconds: 5,
    });
    return tests.find((test) => test.name.includes(name));
  }

  it.each([
    ['makes one task of a message', { repeats: true }, /two messages, of which one came twice, made/],
    ['no task again after a restart', { forgets: true }, /a task that was acknowledged came back/],
    ['stops only after', { leavesWork: true }, /stop\(\) resolved before what was begun was stored/],
    ['shows no secret', { tells: true }, /a secret is shown/],
    [
      'shows no secret',
      { namesNoSecret: true },
      /LIST_SECRET looks like a secret: name "secret" in secretFields/,
    ],
    ['makes tasks, after a restart', { notesEarly: true }, /before submit\(\) had resolved/],
    ['refuses a wrong value', { advice: 'wrong' }, /give "every" a description that begins with "must"/],
  ] as const)('an adapter that does not hold to it: %s', async (name, faults, message) => {
    await expect(testOf(name, {})?.run()).resolves.toBeUndefined();
    await expect(testOf(name, faults)?.run()).rejects.toThrow(message);
  });
});
