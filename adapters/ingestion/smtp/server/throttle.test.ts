import { expect, test } from 'vitest';
import { createFakeClock } from '#test/helpers/clock.ts';
import { createPace, isLocalPeer } from './throttle.ts';

test.each([
  ['127.0.0.1', true],
  ['10.1.2.3', true],
  ['172.31.255.255', true],
  ['172.32.0.1', false],
  ['192.168.1.5', true],
  ['100.64.0.1', true],
  ['203.0.113.7', false],
  ['::1', true],
  ['fd12::1', true],
  ['fe80::1', true],
  ['2001:db8::1', false],
  ['nonsense', false],
])('%s is of our own network: %s', (address, isLocal) => {
  expect(isLocalPeer(address)).toBe(isLocal);
});

test('addresses of one /64 are counted together, others apart, and our own network by a bound of its own', () => {
  const limits = { connectionsPerAddress: 1, connectionsPerLocalAddress: 2, perMinute: 1 };
  const pace = createPace(limits, createFakeClock());
  expect(['127.0.0.1', '127.0.0.1', '127.0.0.1'].map(pace.spend)).toEqual([true, true, true]);
  expect(
    ['2001:db8::1', '2001:db8:0:0:9::2', '2001:db8:0:1::1', '203.0.113.7', '203.0.113.7'].map(pace.spend),
  ).toEqual([true, false, true, true, false]);
  expect(['127.0.0.1', '127.0.0.1', '127.0.0.1', '::1', '::1'].map(pace.enter)).toEqual([
    true,
    true,
    false,
    true,
    true,
  ]);
  expect([pace.enter('2001:db8::1'), pace.enter('2001:db8::2')]).toEqual([true, false]);
  pace.leave('2001:db8::1');
  expect(pace.enter('2001:db8::2')).toBe(true);
});
