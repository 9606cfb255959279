// Whose address it is, as far as limits are concerned: one IPv4 address, or one IPv6 network of /64. And the
// IPv4 address in an IPv6 one.
import { isIPv4, isIPv6 } from 'node:net';

/** Groups of an IPv6 address that a provider gives one customer at the least (RFC 6177, BCP 157). */
const NETWORK_GROUPS = 4;
/** Prefixes of IPv4 in IPv6: mapped (RFC 4291, 2.5.5.2) and translated (RFC 6052, 2.1). */
const IPV4_PREFIXES = ['0:0:0:0:0:ffff', '64:ff9b:0:0:0:0'];

/**
 * The name that limits count an address by. An IPv6 address counts by its /64, all of which its holder has;
 * IPv4 counts as itself, also in IPv6 notation; anything else as it is.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%', 1);
  if (!isIPv6(bare)) return address;
  return ipv4In(bare) ?? `${inHex(groupsOf(bare).slice(0, NETWORK_GROUPS))}::/64`;
}

/** The IPv4 address that an IPv6 address without a zone is mapped or translated from; null for any other. */
export function ipv4In(address: string): string | null {
  if (!isIPv6(address)) return null;
  const groups = groupsOf(address);
  if (!IPV4_PREFIXES.includes(inHex(groups.slice(0, 6)))) return null;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

// A valid IPv6 address as its eight numbers.
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::', 2);
  const before = numbersOf(head);
  if (tail === undefined) return before;
  const after = numbersOf(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after];
}

function numbersOf(text: string): number[] {
  return text
    .split(':')
    .filter((group) => group !== '')
    .flatMap((group) => (isIPv4(group) ? pairOf(group) : [Number.parseInt(group, 16)]));
}

// The last two groups may be written as IPv4.
function pairOf(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

function inHex(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(':');
}
