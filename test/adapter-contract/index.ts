// `qinbox/testing`: what holds for every ingestion adapter, as tests that any runner can run, on a real
// Qinbox.
import assert from 'node:assert/strict';
import { completed } from '#api/adapter-host/external.ts';
import { ConfigError } from '#core/config-error.ts';
import { readConfig } from '#core/config.ts';
import type { ContractOptions, Sender } from './sender.ts';
import { waitFor, withSender, type TestServer } from './server.ts';
import type { contractTests as Declared } from './testing.d.ts';

export { startQinbox } from './start-qinbox.ts';

type Check = (options: ContractOptions) => Promise<void>;

const NOBODY = 'nobody@example.com';
/** No number, no flag, no address, no list of anything. */
const NONSENSE = '\u2603 no such value';
const ROUNDS = 3;
const QUIET_MS = 1000;
const SHORTEST_SECRET = 6;
const NAMES_OF_SECRETS = /PASSW|SECRET|TOKEN|API_?KEY|PRIVATE_?KEY|CREDENTIAL/;
/** A message that is lost is most often lost so. */
const NOTED_TOO_EARLY = 'was it acknowledged, or noted as seen, before submit() had resolved?';

export const contractTests: typeof Declared = (options) => {
  const { adapter, connects = true, proves = false, waits = false, repeats = true } = options;
  const checks: [name: string, check: Check | null][] = [
    ['is an adapter that this Qinbox loads, and each setting has a variable', loads],
    ['refuses a wrong value by the name of its variable and says what it must be', refusesWrongValues],
    ['starts without its variables, or says which one is missing', startsWithout],
    ['makes one task of a message, and none of the same message again', makesOneTask],
    ['makes no task again after a restart', survivesRestart],
    ['makes tasks of what was sent while Qinbox was down', waits ? catchesUp : null],
    ['loses nothing while the store does not answer', repeats ? outlivesFaults : null],
    ['makes tasks, after a restart, of what it could not store', waits && repeats ? comesAgain : null],
    ['works on after an outage of the sender, and tells of it', connects ? outlivesOutage : null],
    ['works on after what is no message', outlivesNonsense],
    ['makes no task of what is forged', proves ? refusesForged : null],
    [
      'tells of an owner that is unknown, and makes no task',
      adapter.intakes === undefined ? needsOwner : null,
    ],
    ['stops only after what it has begun is stored', drains],
    ['leaves nothing behind when it stops', leavesNothing],
    ['shows no secret in its log, its state and its tasks', hidesSecrets],
  ];
  return checks.flatMap(([name, check]) =>
    check === null ? [] : [{ name: `${adapter.id}: ${name}`, run: () => check(options) }],
  );
};

async function loads({ adapter }: ContractOptions): Promise<void> {
  const { title, source } = completed(adapter, adapter.id);
  assert.ok(title.trim() !== '', 'the title is empty');
  assert.match(source, /^[a-z][a-z0-9-]{0,29}$/, 'the source must be a lower-case word');
}

async function refusesWrongValues({ adapter }: ContractOptions): Promise<void> {
  const full = completed(adapter, adapter.id);
  for (const [field, name] of Object.entries(full.environment))
    try {
      readConfig({ [name]: NONSENSE }).adapterConfig(full);
    } catch (error) {
      assert.ok(error instanceof ConfigError, `${name} throws ${String(error)}`);
      const advice = `give "${field}" a description that begins with "must", as "must be a port"`;
      assert.ok(error.message.startsWith(`${name} must `), `"${error.message}": ${advice}`);
    }
}

async function startsWithout(options: ContractOptions): Promise<void> {
  const names = Object.values(options.adapter.environment ?? {});
  await withSender(options, async (_sender, start) => {
    try {
      await start({ env: {}, isEarly: true });
    } catch (error) {
      const named = error instanceof ConfigError && names.includes(error.variable);
      assert.ok(named, `without its variables it ends the start: ${String(error)}`);
    }
  });
}

async function makesOneTask(options: ContractOptions): Promise<void> {
  await withSender(options, async (sender, start) => {
    const server = await start();
    assert.ok(server.isOn, `these variables do not switch it on: ${Object.keys(sender.env).join(', ')}`);
    await server.deliver(sender, 1);
    const first = await server.taskOf(sender, 1);
    assert.equal(first.source, options.adapter.source ?? 'integration');
    await server.deliver(sender, 1);
    await server.deliver(sender, 2);
    await server.taskOf(sender, 2);
    // Whatever was on its way is stored when the server has stopped.
    await server.stop();
    const contents = (await (await start()).tasks()).map(({ content }) => content);
    assert.equal(contents.length, 2, `two messages, of which one came twice, made: ${contents.join(' | ')}`);
  });
}

async function survivesRestart(options: ContractOptions): Promise<void> {
  await withSender(options, async (sender, start) => {
    const before = await start();
    await before.deliver(sender, 1);
    await before.acknowledge((await before.taskOf(sender, 1)).id);
    await before.stop();
    const after = await start();
    await after.deliver(sender, 2);
    await after.taskOf(sender, 2);
    await after.stop();
    const contents = (await (await start()).tasks()).map(({ content }) => content);
    assert.equal(contents.length, 1, `a task that was acknowledged came back: ${contents.join(' | ')}`);
  });
}

async function catchesUp(options: ContractOptions): Promise<void> {
  await withSender(options, async (sender, start) => {
    const before = await start();
    await before.deliver(sender, 1);
    await before.taskOf(sender, 1);
    await before.stop();
    await sender.send(2, before.address);
    await (await start()).taskOf(sender, 2);
  });
}

async function outlivesFaults(options: ContractOptions): Promise<void> {
  await withSender(options, async (sender, start) => {
    const server = await start();
    server.store.set('fails');
    const delivered = server.deliver(sender, 1);
    await waitFor('an attempt to store', () => server.store.attempts() > 0);
    server.store.set('works');
    await delivered;
    await server.taskOf(sender, 1, NOTED_TOO_EARLY);
  });
}

/** Sends message 1 while the store fails or waits; resolves once the adapter has tried to store it. */
async function attempted(
  server: TestServer,
  sender: Sender,
  mode: 'fails' | 'waits',
): Promise<{ ended: Promise<void> }> {
  server.store.set(mode);
  const ended = sender.send(1, server.address).catch(() => undefined);
  await waitFor('an attempt to store', () => server.store.attempts() > 0);
  return { ended };
}

async function comesAgain(options: ContractOptions): Promise<void> {
  await withSender(options, async (sender, start) => {
    const before = await start();
    const sending = await attempted(before, sender, 'fails');
    await before.stop();
    await sending.ended;
    await (await start()).taskOf(sender, 1, NOTED_TOO_EARLY);
  });
}

async function outlivesOutage(options: ContractOptions): Promise<void> {
  await withSender(options, async (sender, start) => {
    const outage = outageOf(sender);
    await outage.begin();
    const server = await start({ isEarly: true });
    for (const number of [1, 2]) {
      await waitFor('word of the outage in its state (`ok: false`)', () => server.state()?.ok === false);
      await outage.end();
      await waitFor('word of its end in its state (`ok: true`)', () => server.state()?.ok);
      await server.deliver(sender, number);
      await server.taskOf(sender, number);
      if (number === 1) await outage.begin();
    }
  });
}

function outageOf({ outage }: Sender): NonNullable<Sender['outage']> {
  assert.ok(outage, 'give the sender an outage, or say `connects: false` of an adapter that only listens');
  return outage;
}

async function outlivesNonsense(options: ContractOptions): Promise<void> {
  await withSender(options, async (sender, start) => {
    const server = await start();
    await sender.sendNonsense(server.address).catch(() => undefined);
    await server.deliver(sender, 1);
    await server.taskOf(sender, 1);
  });
}

async function refusesForged(options: ContractOptions): Promise<void> {
  await withSender(options, async (sender, start) => {
    assert.ok(sender.sendForged, 'give the sender a function sendForged, because its adapter says `proves`');
    const server = await start();
    await sender.sendForged(1, server.address).catch(() => undefined);
    await server.deliver(sender, 2);
    await server.taskOf(sender, 2);
    const contents = (await server.tasks()).map(({ content }) => content);
    assert.equal(contents.length, 1, `what is forged became a task: ${contents.join(' | ')}`);
  });
}

async function needsOwner(options: ContractOptions): Promise<void> {
  await withSender(
    options,
    async (sender, start) => {
      const server = await start({ isEarly: true });
      await sender.send(1, server.address).catch(() => undefined);
      await waitFor('a warning in its log, or `ok: false` in its state', () => server.complains());
      assert.deepEqual(await server.tasks(), [], 'a task of nobody was made');
      const { ok } = await fetch(`${server.address.url}/health`);
      assert.ok(ok, 'the server does not answer');
    },
    NOBODY,
  );
}

async function drains(options: ContractOptions): Promise<void> {
  await withSender(options, async (sender, start) => {
    const server = await start();
    const sending = await attempted(server, sender, 'waits');
    const events: string[] = [];
    const stopped = server.stop().then(() => events.push('stopped'));
    // Long enough for a stop that does not wait to be over.
    await new Promise((done) => setTimeout(done, 200));
    events.push('stored');
    server.store.set('works');
    await Promise.all([stopped, sending.ended]);
    assert.deepEqual(events, ['stored', 'stopped'], 'stop() resolved before what was begun was stored');
    await (await start()).taskOf(sender, 1);
  });
}

async function leavesNothing(options: ContractOptions): Promise<void> {
  // What earlier tests have left ends with their senders, and would make room for what this adapter leaves.
  await untilQuiet();
  await withSender(options, async (sender, start) => {
    const round = async (number: number) => {
      const server = await start();
      await server.deliver(sender, number);
      await server.taskOf(sender, number);
      await server.stop();
    };
    await round(1);
    // What the sender itself holds is there by now; what an adapter leaves behind grows with each round.
    const before = process.getActiveResourcesInfo();
    for (let number = 2; number < 2 + ROUNDS; number++) await round(number);
    const more = () => grown(before, process.getActiveResourcesInfo());
    await waitFor('timers and connections to end after stop()', () => more().length === 0).catch(() => {
      throw new Error(`after stop() there is still: ${more().join(', ')}`);
    });
  });
}

/** Resolves when no connection has ended for a second. */
async function untilQuiet(): Promise<void> {
  // Timers that end are those of the test runner.
  const connections = () => process.getActiveResourcesInfo().filter((kind) => kind !== 'Timeout');
  let [before, since] = [connections(), Date.now()];
  await waitFor('connections of other tests to end', () => {
    const after = connections();
    if (grown(after, before).length > 0) since = Date.now();
    before = after;
    return Date.now() - since > QUIET_MS;
  });
}

/** Kinds of timers and connections of which there are more than before. */
function grown(before: readonly string[], after: readonly string[]): string[] {
  const count = (list: readonly string[], kind: string) => list.filter((each) => each === kind).length;
  const kinds = new Set(
    after.filter((kind) => /Timeout|Socket|Server|UDP|Pipe|Process|Watcher|FSEvent/.test(kind)),
  );
  return [...kinds].filter((kind) => count(after, kind) > count(before, kind));
}

async function hidesSecrets(options: ContractOptions): Promise<void> {
  const { adapter, connects = true } = options;
  const { secretFields = [], environment = {} } = adapter;
  for (const [field, name] of Object.entries(environment))
    assert.ok(
      !NAMES_OF_SECRETS.test(name) || secretFields.includes(field),
      `${name} looks like a secret: name "${field}" in secretFields`,
    );
  await withSender(options, async (sender, start) => {
    const secrets = secretFields.flatMap((field) => sender.env[environment[field] ?? ''] ?? []);
    for (const secret of secrets)
      assert.ok(secret.length >= SHORTEST_SECRET, 'the test needs secrets of at least 6 characters');
    const server = await start();
    await server.deliver(sender, 1);
    await server.taskOf(sender, 1);
    if (connects) {
      await outageOf(sender).begin();
      await waitFor('word of the outage in its state', () => server.state()?.ok === false);
    }
    const shown = await server.shown();
    for (const secret of secrets)
      assert.ok(!shown.includes(secret), 'a secret is shown, see its log and tasks');
  });
}
