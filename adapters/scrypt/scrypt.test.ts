// The thread that hashes passwords, and who waits for it.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Attempt } from '#core/ports/password-hasher.ts';
import { waitFor } from '#test/program/wait.ts';
import { createScryptHasher } from './password-hasher.ts';
import { createHashQueue } from './queue.ts';

const attempt = (name: string, more: Partial<Attempt> = {}): Attempt => ({
  account: `${name}@example.com`,
  network: `network of ${name}`,
  isKnown: false,
  ...more,
});

/** For what a thread does, whatever a hash costs. */
const CHEAP = { cost: { N: 2, r: 8, p: 1 } };

function hasher(options: Parameters<typeof createScryptHasher>[0] = {}) {
  const made = createScryptHasher(options);
  onTestFinished(() => made.close());
  return made;
}

/** Worker threads of this process that hash. */
const threads = () => process.getActiveResourcesInfo().filter((kind) => kind === 'MessagePort').length;

describe('a password', () => {
  it('is proven by itself alone, in any Unicode form', async () => {
    const passwords = hasher();
    const hash = await passwords.hash('pa\u0308sswort', attempt('ann'));
    expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(await passwords.verify('p\u00e4sswort', hash, attempt('ann'))).toBe(true);
    expect(await passwords.verify('passwort', hash, attempt('ann'))).toBe(false);
    expect(await passwords.verify('p\u00e4sswort', null, attempt('ann'))).toBe(false);
  });

  it('that was hashed with what scrypt cannot do is refused, and the next one is checked by another thread', async () => {
    const passwords = hasher(CHEAP);
    const damaged = passwords.verify('x', 'scrypt$3$8$1$AAAA$AAAA', attempt('ann'));
    const next = passwords.hash('x', attempt('bob'));
    await expect(damaged).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await next).toContain('scrypt$');
  });

  it('that waits when the program ends is refused, and so is every later one', async () => {
    const passwords = hasher();
    const waiting = ['ann', 'bob', 'cyd'].map((name) => passwords.hash('x', attempt(name)));
    const ended = Promise.allSettled(waiting);
    await passwords.close();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(passwords.hash('x', attempt('dan'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});

it('a thread that nobody needs is ended', async () => {
  const before = threads();
  const passwords = hasher({ ...CHEAP, idleMs: 1 });
  const hashing = passwords.hash('x', attempt('ann'));
  expect(threads()).toBeGreaterThan(before);
  await hashing;
  await waitFor('the end of the thread', () => threads() === before);
  expect(await passwords.hash('x', attempt('ann'))).toContain('scrypt$');
});

describe('those who wait', () => {
  const fill = () => {
    const queue = createHashQueue();
    const order: string[] = [];
    const add = (name: string, more?: Partial<Attempt>) =>
      queue.add({
        attempt: attempt(name, more),
        work: { kind: 'verify', password: name, hash: null },
        resolve: () => undefined,
        reject: () => undefined,
      });
    return {
      add,
      drain() {
        for (let next = queue.shift(); next !== undefined; next = queue.shift())
          order.push(next.work.password);
        return order;
      },
    };
  };

  it('are eight, served in turn; the ninth is told to come again', () => {
    const { add, drain } = fill();
    for (let index = 0; index < 8; index++) add(`${index}`);
    expect(() => add('8')).toThrow(
      expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 }),
    );
    expect(drain()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7']);
  });

  it('are two of one network and two for one account', () => {
    const { add } = fill();
    const refusal = expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
    add('0', { network: '192.0.2.1' });
    add('1', { network: '192.0.2.1' });
    expect(() => add('2', { network: '192.0.2.1' })).toThrow(refusal);
    add('3', { account: 'owner@example.com' });
    add('4', { account: 'owner@example.com' });
    expect(() => add('5', { account: 'owner@example.com' })).toThrow(refusal);
    add('6');
  });

  it('come after those who are known, who have four places of their own', () => {
    const { add, drain } = fill();
    for (let index = 0; index < 8; index++) add(`${index}`);
    for (let index = 8; index < 12; index++) add(`${index}`, { isKnown: true });
    expect(() => add('12', { isKnown: true })).toThrow(
      expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }),
    );
    expect(drain().slice(0, 5)).toEqual(['8', '9', '10', '11', '0']);
  });
});
