// Which tokens of an intake are good, and which events it takes in.
import { describe, expect, it } from 'vitest';
import {
  intakeOf,
  isTokenGood,
  MAX_FORMER_ADDRESSES,
  rotateTokens,
  wantsEvent,
  type IntakeToken,
} from './intake.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const HOUR = 3_600_000;
const token = (hash: string, until: number | null = null): IntakeToken => ({
  hash,
  encrypted: `encrypted ${hash}`,
  until,
});

describe('the tokens of an intake', () => {
  it('go on for their grace after a new one was made, to the millisecond', () => {
    const tokens = rotateTokens([token('a')], [token('b')], HOUR, NOW);
    expect(tokens).toEqual([token('b'), token('a', NOW + HOUR)]);
    expect(isTokenGood(tokens, 'a', NOW + HOUR - 1)).toBe(true);
    expect(isTokenGood(tokens, 'a', NOW + HOUR)).toBe(false);
    expect(isTokenGood(tokens, 'b', NOW + 1000 * HOUR)).toBe(true);
    expect(isTokenGood(tokens, 'c', NOW)).toBe(false);
  });

  it('end at once without a grace, and are dropped', () => {
    expect(rotateTokens([token('a'), token('z', NOW + 1)], [token('b')], 0, NOW)).toEqual([token('b')]);
  });

  it('stay good of the latest addresses alone, however often the address is changed', () => {
    let tokens = [token('first'), token('first, for mail')];
    for (let n = 1; n <= 50; n++)
      tokens = rotateTokens(tokens, [token(`${n}`), token(`${n}, for mail`)], 24 * HOUR, NOW + n);
    expect(tokens).toHaveLength(2 * (MAX_FORMER_ADDRESSES + 1));
    const good = (n: number) =>
      [`${n}`, `${n}, for mail`].map((hash) => isTokenGood(tokens, hash, NOW + HOUR));
    expect([50, 49, 50 - MAX_FORMER_ADDRESSES].map(good)).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
    expect(good(50 - MAX_FORMER_ADDRESSES - 1)).toEqual([false, false]);
  });

  it('never go on for longer because of another rotation', () => {
    const before = [token('b'), token('a', NOW + 10)];
    expect(rotateTokens(before, [token('c')], HOUR, NOW)).toEqual([
      token('c'),
      token('b', NOW + HOUR),
      token('a', NOW + 10),
    ]);
    expect(rotateTokens(before, [token('c')], HOUR, NOW + 10)).toHaveLength(2);
  });
});

describe('the events of an intake', () => {
  it.each([
    [[], 'anything', true],
    [['push'], null, true],
    [['push'], 'push', true],
    [['push'], 'push.forced', true],
    [['push'], 'pushed', false],
    [['push.forced'], 'push', false],
    [['issues', 'pull_request.opened'], 'pull_request.opened', true],
    [['issues', 'pull_request.opened'], 'pull_request.closed', false],
  ])('%j wants %s: %s', (events, event, wanted) => {
    expect(wantsEvent(events, event)).toBe(wanted);
  });
});

it('reads an intake that the first versions stored, and what this one does', () => {
  const record = {
    id: 'itk_1',
    encryptedSecrets: 'v1.a',
    tokens: [{ hash: 'h', encrypted: 'v1.b', until: null }],
  };
  const first = { id: 'itk_1', sealedSecrets: 'v1.a', tokens: [{ hash: 'h', sealed: 'v1.b', until: null }] };
  expect(intakeOf(JSON.stringify(first))).toEqual(record);
  expect(intakeOf(JSON.stringify(record))).toEqual(record);
});
