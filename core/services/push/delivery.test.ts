// How messages are brought to devices: in order to each, within bounds, again when asked, and no longer to a
// browser that is gone. And how many an owner gets.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PushMessage, PushOutcome } from '#core/ports/push-sender.ts';
import { createFakeClock } from '#test/helpers/clock.ts';
import { waitFor } from '#test/program/wait.ts';
import { createOwnerBudgets } from './budgets.ts';
import { createPushDelivery } from './delivery.ts';
import type { PushTargetDevice } from './targets.ts';

const HOUR = 3_600_000;

function device(id: string, ownerId = 'ada', lastUsedAt: number | null = null): PushTargetDevice {
  const subscription = { endpoint: `https://push.example.com/${id}`, p256dh: 'p', auth: 'a' };
  return { id, ownerId, lastUsedAt, subscription };
}
const saying = (payload: string): Omit<PushMessage, 'subscription'> => ({
  payload,
  ttlSeconds: 60,
  urgency: 'high',
  topic: null,
});

/** A push service that answers when the test says so. */
function withService(answer: (message: PushMessage) => PushOutcome | Promise<PushOutcome>) {
  const clock = createFakeClock();
  const log: string[] = [];
  /** What devices became; null where one is removed. */
  const changed = new Map<string, PushTargetDevice | null>();
  const delivery = createPushDelivery({
    sender: {
      send(message) {
        log.push(`${message.subscription.endpoint.split('/').at(-1)} ${message.payload}`);
        return Promise.resolve(answer(message));
      },
    },
    clock,
    identity: () => Promise.resolve({ keys: { publicKey: '', privateKey: '' }, subject: '' }),
    observer: {
      sent: () => void log.push('sent'),
      refused: (reason) => void log.push(`refused: ${reason}`),
      forgotten: () => void log.push('forgotten'),
    },
    current(ownerId, id) {
      const now = changed.get(id);
      return Promise.resolve(now === undefined ? device(id, ownerId) : now);
    },
    forget: (ownerId, id) => Promise.resolve(log.push(`forget ${ownerId} ${id}`)),
    used: (_ownerId, id, at) => Promise.resolve(log.push(`used ${id} ${at - clock.now()}`)),
    onError: (error) => void log.push(String(error)),
  });
  onTestFinished(() => delivery.close());
  const say = (to: PushTargetDevice, text: string) =>
    delivery.deliver(to, () => Promise.resolve(saying(text)));
  return { clock, log, changed, delivery, say };
}

describe('messages to devices', () => {
  it('go to each in order, one after the other, and to others meanwhile', async () => {
    let release = () => {};
    const held = new Promise<PushOutcome>((resolve) => (release = () => resolve({ kind: 'sent' })));
    const { say, log } = withService(({ payload }) => (payload === '1' ? held : { kind: 'sent' }));
    const [a, b] = [device('a', 'ada', Infinity), device('b', 'ada', Infinity)];
    const slow = [say(a, '1'), say(a, '2')];
    await say(b, '3');
    expect(log.filter((line) => line !== 'sent' && !line.startsWith('used'))).toEqual(['a 1', 'b 3']);
    release();
    expect(await Promise.all(slow)).toEqual([true, true]);
    expect(log).toContain('a 2');
  });

  it('are made when it is their turn, and are not sent when there is nothing more to say', async () => {
    const { delivery, log } = withService(() => ({ kind: 'sent' }));
    expect(await delivery.deliver(device('a'), () => Promise.resolve(null))).toBe(false);
    expect(await delivery.deliver(device('a'), () => Promise.reject(new Error('no store')))).toBe(false);
    expect(log).toEqual(['Error: no store']);
  });

  it('go where the browser is when they are sent, and nowhere once its owner has it no longer', async () => {
    let release = () => {};
    const held = new Promise<PushOutcome>((resolve) => (release = () => resolve({ kind: 'sent' })));
    const { say, log, changed } = withService(({ payload }) => (payload === '1' ? held : { kind: 'sent' }));
    const [moved, removed] = [device('a', 'ada', Infinity), device('b', 'ada', Infinity)];
    const first = [say(moved, '1'), say(removed, '1')];
    const second = [say(moved, '2'), say(removed, '2')];
    await waitFor('the first to be under way', () => log.length === 2);
    changed.set('a', { ...moved, subscription: device('elsewhere').subscription });
    changed.set('b', null);
    release();
    expect(await Promise.all(first)).toEqual([true, true]);
    expect(await Promise.all(second)).toEqual([true, false]);
    expect(log.filter((line) => / [12]$/.test(line))).toEqual(['a 1', 'b 1', 'elsewhere 2']);
  });

  it('hold up no other owner when one has a push service that hangs', async () => {
    const { say, log } = withService(({ payload }) =>
      payload === 'hangs' ? new Promise(() => {}) : { kind: 'sent' },
    );
    for (let index = 0; index < 20; index++) void say(device(`h${index}`), 'hangs');
    await waitFor('those that hang', () => log.length === 8);
    expect(await say(device('b', 'bob'), 'passes')).toBe(true);
    expect(log.filter((line) => line.endsWith('hangs'))).toHaveLength(8);
  });

  it('are dropped where too many of their owner wait, and of no other', async () => {
    const { say, log } = withService(({ payload }) =>
      payload === 'hangs' ? new Promise(() => {}) : { kind: 'sent' },
    );
    for (let index = 0; index < 12_000; index++) void say(device(`h${index % 20}`), 'hangs');
    await waitFor('those that hang', () => log.filter((line) => line.endsWith('hangs')).length === 8);
    expect(log.filter((line) => line === 'refused: too many wait')).toHaveLength(11_000);
    expect(await say(device('a'), 'more')).toBe(false);
    expect(await say(device('b', 'bob'), 'passes')).toBe(true);
  });

  it('are not tried again where too many of their owner are to be, and of others are', async () => {
    const { say, log } = withService(() => ({ kind: 'later', retryAfterMs: HOUR, reason: 'status 503' }));
    for (let index = 0; index < 1000; index++) await say(device('a'), 'later');
    expect(log).not.toContain('refused: status 503');
    await say(device('a'), 'one more');
    expect(log.at(-1)).toBe('refused: status 503');
    await say(device('b', 'bob'), 'later');
    expect(log.at(-1)).toBe('b later');
  });

  it('end with a browser that is gone, and with a refusal, which are told', async () => {
    const { say, log } = withService(({ payload }) =>
      payload === 'gone' ? { kind: 'gone' } : { kind: 'refused', reason: 'status 403' },
    );
    expect([await say(device('a'), 'gone'), await say(device('b'), 'no')]).toEqual([false, false]);
    expect(log).toEqual(['a gone', 'forgotten', 'forget ada a', 'b no', 'refused: status 403']);
  });

  it('are tried again after the time that the push service asks for, and are made anew then', async () => {
    let calls = 0;
    const { delivery, log } = withService(() =>
      ++calls === 1 ? { kind: 'later', retryAfterMs: 1, reason: 'status 429' } : { kind: 'sent' },
    );
    let made = 0;
    const first = await delivery.deliver(device('a', 'ada', Infinity), () =>
      Promise.resolve(saying(`${++made}`)),
    );
    expect(first).toBe(false);
    await waitFor('the second attempt', () => log.includes('sent'));
    expect(log.slice(0, 3)).toEqual(['a 1', 'a 2', 'sent']);
  });

  it('are given up where the push service wants more than an hour', async () => {
    const { say, log } = withService(() => ({ kind: 'later', retryAfterMs: 2 * HOUR, reason: 'status 503' }));
    await say(device('a'), '1');
    expect(log).toEqual(['a 1', 'refused: status 503']);
  });

  it('are noted as the use of their device once an hour', async () => {
    const { say, log, clock } = withService(() => ({ kind: 'sent' }));
    const uses = () => log.filter((line) => line.startsWith('used'));
    for (let turn = 0; turn < 3; turn++) await say(device('a'), 'x');
    expect(uses()).toEqual(['used a 0']);
    clock.advance(HOUR);
    await say(device('a'), 'x');
    expect(uses()).toHaveLength(2);
    await say(device('b', 'ada', clock.now() - 1000), 'x');
    expect(uses()).toHaveLength(2);
  });

  it('are no longer sent after the end', async () => {
    const { say, log, delivery } = withService(() => ({ kind: 'sent' }));
    await delivery.close();
    expect(await say(device('a'), 'x')).toBe(false);
    expect(log).toEqual([]);
  });
});

describe('the pushes that an owner gets', () => {
  it('are twenty at once, then one in three seconds, of each owner', () => {
    const clock = createFakeClock();
    const budgets = createOwnerBudgets(clock);
    const taken = (ownerId: string) =>
      Array.from({ length: 30 }, () => budgets.take(ownerId)).filter(Boolean);
    expect([taken('ada').length, taken('ada').length, taken('bob').length]).toEqual([20, 0, 20]);
    clock.advance(2999);
    expect(taken('ada')).toHaveLength(0);
    clock.advance(1);
    expect(taken('ada')).toHaveLength(1);
    clock.advance(HOUR);
    expect(taken('ada')).toHaveLength(20);
  });
});
