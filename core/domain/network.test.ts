// What limits count an address by.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { networkOf } from './network.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
  ['64:ff9b::192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:ffff::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['::1.2.3.4', '0:0:0:0::/64'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each(['', 'unknown', 'not:an:address', '1.2.3', '_hidden', '2001:db8::1::2'])(
  'what is no address counts as it is: %j',
  (text) => {
    expect(networkOf(text)).toBe(text);
  },
);

it('every address of a /64 counts as one, and those of different ones never do, however they are written', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((number) => number.toString(16));
  const four = fc.array(group, { minLength: 4, maxLength: 4 }).filter(([first]) => first !== '64');
  // As its text, or in the short form that URL gives it.
  const short = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1);
  fc.assert(
    fc.property(four, four, four, four, (one, other, low, high) => {
      fc.pre(one.some((text) => text !== '0') && other.some((text) => text !== '0'));
      const addressOf = (network: string[], rest: string[]) => [...network, ...rest].join(':');
      expect(networkOf(short(addressOf(one, low)))).toBe(networkOf(addressOf(one, high)));
      expect(networkOf(addressOf(one, low)) === networkOf(addressOf(other, low))).toBe(
        one.join(':') === other.join(':'),
      );
    }),
  );
});
