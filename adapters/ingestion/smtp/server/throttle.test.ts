import { expect, test } from 'vitest';
import { createFakeClock } from '#test/helpers/clock.ts';
import { createThrottle, isLocalAddress } from './throttle.ts';

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
])('%s is a local address: %s', (address, isLocal) => {
  expect(isLocalAddress(address)).toBe(isLocal);
});

test('addresses of one /64 are counted together, others apart, and local addresses by a limit of their own', () => {
  const limits = { connectionsPerAddress: 1, connectionsPerLocalAddress: 2, perMinute: 1 };
  const throttle = createThrottle(limits, createFakeClock());
  expect(['127.0.0.1', '127.0.0.1', '127.0.0.1'].map(throttle.attempt)).toEqual([true, true, true]);
  expect(
    ['2001:db8::1', '2001:db8:0:0:9::2', '2001:db8:0:1::1', '203.0.113.7', '203.0.113.7'].map(
      throttle.attempt,
    ),
  ).toEqual([true, false, true, true, false]);
  expect(['127.0.0.1', '127.0.0.1', '127.0.0.1', '::1', '::1'].map(throttle.connect)).toEqual([
    true,
    true,
    false,
    true,
    true,
  ]);
  expect([throttle.connect('2001:db8::1'), throttle.connect('2001:db8::2')]).toEqual([true, false]);
  throttle.disconnect('2001:db8::1');
  expect(throttle.connect('2001:db8::2')).toBe(true);
});
