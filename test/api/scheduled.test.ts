// Messages that ntfy's clients publish for later: nothing is in the queue before they are due, each comes
// once, and what was replaced or deleted meanwhile does not come.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScheduledDeliveries, type ScheduledDelivery } from '#core/services/scheduled-deliveries.ts';
import { buildFixture, MORNING, type Fixture } from '#test/helpers/app.ts';

const MINUTE = 60_000;
const SECONDS = MORNING / 1000;

let app: Fixture;
let owners = 0;
beforeAll(async () => {
  app = await buildFixture();
});
afterAll(() => app.close());

async function intake() {
  const email = `scheduled${++owners}@example.com`;
  const { accessToken: token } = await app.session(email);
  const body = { name: 'x', adapter: 'webhook', verification: { scheme: 'none' } };
  const made = await app.call('POST', '/intakes', { token, body });
  const { address, id } = made.body['intake'] as { address: string; id: string };
  const topic = address.split('/').at(-1) as string;
  // A session would end while the time passes.
  const key = await app.key(email);
  return {
    topic,
    ownerId: (await app.user(email)).id,
    key,
    async publish(payload: string | object, headers: Record<string, string> = {}, path = `/${topic}`) {
      const answer = await app.app.inject({
        method: 'POST',
        url: path,
        payload,
        headers: { ...(typeof payload === 'string' ? { 'content-type': 'text/plain' } : {}), ...headers },
      });
      return { status: answer.statusCode, ...answer.json<Record<string, unknown>>() };
    },
    remove: (sequence: string) => app.app.inject({ method: 'DELETE', url: `/${topic}/${sequence}` }),
    async queue(): Promise<string[]> {
      const { body: page } = await app.call('GET', '/tasks', { key });
      return (page['tasks'] as { content: string }[]).map(({ content }) => content);
    },
    async deliveries(): Promise<{ verdict: string; reason: string | null }[]> {
      const { body: page } = await app.call('GET', `/intakes/${id}/deliveries`, { token });
      return page['deliveries'] as { verdict: string; reason: string | null }[];
    },
    revoke: () => app.call('DELETE', `/intakes/${id}`, { token }),
  };
}

/** Lets the time pass, and what is due be carried out. */
async function pass(ms: number): Promise<void> {
  app.clock.advance(ms);
  app.parts.scheduled.start();
  await app.parts.scheduled.idle();
}

describe('a delayed message', () => {
  it.each([
    ['a duration in a header', { delay: '30m' }, 30],
    ['a duration in words', { 'x-in': '2 hours' }, 120],
    ['a time', { 'x-at': String(SECONDS + 600) }, 10],
    ['words', { 'x-delay': 'in 45 minutes' }, 45],
  ])('comes when it is due, by %s', async (_how, headers, minutes) => {
    const { publish, queue, deliveries } = await intake();
    const start = app.clock.now();
    const wanted = 'x-at' in headers ? { 'x-at': String(start / 1000 + 600) } : headers;
    expect(await publish('Water the plants', wanted)).toMatchObject({
      status: 200,
      event: 'message',
      message: 'Water the plants',
      time: start / 1000 + minutes * 60,
    });
    await expect.poll(deliveries).toMatchObject([{ verdict: 'accepted' }]);
    expect((await deliveries())[0]?.reason).toContain('It is due at 2026-11-2');
    await pass(minutes * MINUTE - 1000);
    expect(await queue()).toEqual([]);
    await pass(1000);
    expect(await queue()).toEqual(['Water the plants']);
    await pass(MINUTE);
    expect(await queue()).toEqual(['Water the plants']);
  });

  it('is one, however often it is sent, and may be published as JSON', async () => {
    const { publish, queue, topic } = await intake();
    for (let time = 0; time < 2; time++)
      expect(await publish({ topic, message: 'x', delay: '10m' }, {}, '/')).toMatchObject({ status: 200 });
    await pass(10 * MINUTE);
    expect(await queue()).toEqual(['x']);
  });

  it('is replaced and deleted by its sequence id before it is due', async () => {
    const { publish, queue, remove, topic } = await intake();
    await publish('first', { delay: '10m' }, `/${topic}/a`);
    await publish('second', { delay: '20m' }, `/${topic}/a`);
    await publish('third', { delay: '10m' }, `/${topic}/b`);
    await publish('fourth', { delay: '10m' }, `/${topic}/c`);
    await publish('now', {}, `/${topic}/c`);
    expect((await remove('b')).statusCode).toBe(200);
    await pass(10 * MINUTE);
    expect(await queue()).toEqual(['now']);
    await pass(10 * MINUTE);
    expect(await queue()).toEqual(['second', 'now']);
  });

  it('is refused in ntfy’s words when its time is not understood, too near or too far', async () => {
    const { publish, queue } = await intake();
    for (const [delay, code] of [
      ['soon enough', 40004],
      ['5s', 40005],
      [String(SECONDS - 60), 40005],
      ['4 days', 40006],
    ] as const)
      expect(await publish('x', { delay })).toMatchObject({ status: 400, code, http: 400 });
    await pass(5 * 24 * 60 * MINUTE);
    expect(await queue()).toEqual([]);
  });

  it('is shown with the others to who asks for scheduled ones, and to nobody else', async () => {
    const { key, publish, topic } = await intake();
    await publish('there', {});
    await publish('later', { delay: '10m', tags: 'plants' });
    const poll = async (path: string, credential = key) => {
      const headers = { authorization: `Bearer ${credential}` };
      const { body } = await app.app.inject({ url: path, headers });
      return body
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { message: string }).message);
    };
    expect(await poll('/inbox/json?poll=1')).toEqual(['there']);
    expect(await poll('/inbox/json?poll=1&scheduled=1')).toEqual(['later', 'there']);
    expect(await poll('/plants/json?poll=1&scheduled=1')).toEqual(['later']);
    expect(await poll(`/${topic}/json?poll=1&sched=yes`)).toEqual(['later', 'there']);
    expect(await poll('/inbox/json?poll=1&scheduled=1', await app.key('other@example.com'))).toEqual([]);
  });

  it('does not come when its intake was revoked meanwhile', async () => {
    const { publish, queue, revoke } = await intake();
    await publish('x', { delay: '10m' });
    await revoke();
    await pass(10 * MINUTE);
    expect(await queue()).toEqual([]);
  });

  it('is one of 200 of an owner at the most', async () => {
    const { publish } = await intake();
    for (let each = 0; each < 200; each++) await publish(`message ${each}`, { delay: '10m' });
    expect(await publish('one more', { delay: '10m' })).toMatchObject({ status: 503 });
    expect(await publish('message 7', { delay: '10m' })).toMatchObject({ status: 200 });
  });
});

describe('scheduled deliveries', () => {
  it('are tried again until they are carried out, and go on in another process', async () => {
    const { storage } = app.parts;
    const { clock } = app;
    const came: string[] = [];
    let fails = true;
    const startProcess = () =>
      createScheduledDeliveries({
        store: storage.adapterData,
        adapters: ['other'],
        clock,
        isShared: false,
        deliver({ requestId }, replayKey) {
          if (fails) return Promise.reject(new Error('the store is away'));
          came.push(`${requestId} ${replayKey}`);
          return Promise.resolve();
        },
        onError() {},
      });
    const first = startProcess();
    const waiting: ScheduledDelivery = {
      intakeId: 'int_1',
      ownerId: 'user_1',
      parsed: { tasks: [{ content: 'x' }], resolves: [] },
      request: { headers: {}, contentType: '', body: 'x'.repeat(70_000), encoding: 'text', clipped: false },
      notes: {},
      requestId: 'r',
      dueAt: clock.now() + MINUTE,
    };
    await first.add('other', waiting, 'dlv_1');
    clock.advance(MINUTE);
    first.start();
    await first.idle();
    await first.stop();
    fails = false;
    const second = startProcess();
    second.start();
    await second.idle();
    expect(came).toEqual([expect.stringMatching(/^r scheduled:int_1:/)]);
    expect(await second.list('user_1')).toEqual([]);
    await second.stop();
  });
});

describe('a scheduled delivery that is being carried out', () => {
  /** One that is due, with its delivery held until `open`. */
  function held(name: string) {
    const { clock } = app;
    const store = app.parts.storage.adapterData;
    const came: string[] = [];
    const door = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<string>();
    const make = (isShared: boolean, deliver: (one: ScheduledDelivery) => Promise<void>) =>
      createScheduledDeliveries({ store, adapters: [name], clock, isShared, deliver, onError() {} });
    const process = make(false, async ({ requestId }) => {
      begun.resolve(requestId);
      await door.promise;
      came.push(requestId);
    });
    const waiting = (requestId: string, dueAt: number, dedupeKey = 'plants'): ScheduledDelivery => ({
      intakeId: 'int_1',
      ownerId: `user_${name}`,
      parsed: { tasks: [{ content: 'x', dedupeKey }], resolves: [] },
      request: { headers: {}, contentType: '', body: '', encoding: 'text', clipped: false },
      notes: {},
      requestId,
      dueAt,
    });
    const add = (requestId: string, dueAt: number, dedupeKey = 'plants') =>
      process.add(name, waiting(requestId, dueAt, dedupeKey), `dlv_${requestId}`);
    const other = make(true, () => Promise.reject(new Error('not here')));
    const requests = async () =>
      (await process.list(`user_${name}`)).map(({ scheduled }) => scheduled.requestId);
    const intake = { adapter: name, id: 'int_1', ownerId: `user_${name}` } as Parameters<
      typeof process.cancel
    >[0];
    return { process, other, add, waiting, came, begun: begun.promise, open: door.resolve, requests, intake };
  }

  it.each(['the same process', 'another one'])(
    'does not take with it the one that takes its place meanwhile, in %s',
    async (where) => {
      const name = where === 'another one' ? 'replaced-there' : 'replaced-here';
      const { process, other, add, waiting, came, begun, open, requests } = held(name);
      await add('first', app.clock.now() + MINUTE);
      app.clock.advance(MINUTE);
      process.start();
      await begun;
      const due = app.clock.now() + 10 * MINUTE;
      const replaced =
        where === 'another one' ? other.add(name, waiting('second', due), 'dlv_2') : add('second', due);
      if (where === 'another one') await replaced;
      open();
      await Promise.all([replaced, process.idle()]);
      expect(came).toEqual(['first']);
      expect(await requests()).toEqual(['second']);
      app.clock.advance(10 * MINUTE);
      process.start();
      await process.idle();
      expect(came).toEqual(['first', 'second']);
      await Promise.all([process.stop(), other.stop()]);
    },
  );

  it('holds up who cancels it until its task is there; one behind it is cancelled in time', async () => {
    const { process, add, came, begun, open, intake, requests } = held('cancelled');
    const due = app.clock.now() + MINUTE;
    await add('a', due, 'a');
    await add('b', due, 'b');
    app.clock.advance(MINUTE);
    process.start();
    const first = await begun;
    await process.cancel(intake, [first === 'a' ? 'b' : 'a']);
    let isCancelled = false;
    const cancelled = process.cancel(intake, [first]).then(() => (isCancelled = true));
    await requests();
    expect(isCancelled).toBe(false);
    open();
    await Promise.all([cancelled, process.idle()]);
    expect(came).toEqual([first]);
    expect(await requests()).toEqual([]);
    await process.stop();
  });
});
