// Which addresses the server may connect to when a user names the target: those of the public internet, and
// what the operator allows. Special ranges are those of the registries of IANA (RFC 6890).
import { BlockList, isIP, isIPv4 } from 'node:net';
import { ipv4In } from './network.ts';

type Range = readonly [network: string, prefix: number];

const INSIDE_IPV4: readonly Range[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by the customers of a provider; metadata of Alibaba Cloud
  ['127.0.0.0', 8], // loopback
  ['168.63.129.16', 32], // the host of a virtual machine of Azure
  ['169.254.0.0', 16], // link-local; metadata of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments; metadata of Oracle Cloud
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];
/** All of the public internet is in here (RFC 4291, 2.4). */
const GLOBAL_IPV6: Range = ['2000::', 3];
const INSIDE_IPV6: readonly Range[] = [
  ['2001::', 23], // protocol assignments, among them Teredo, which carries IPv4 addresses
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which carries IPv4 addresses
  ['3fff::', 20], // documentation
];

const insideIpv4 = listOf(INSIDE_IPV4, 'ipv4');
const globalIpv6 = listOf([GLOBAL_IPV6], 'ipv6');
const insideIpv6 = listOf(INSIDE_IPV6, 'ipv6');

function listOf(ranges: readonly Range[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

/** Whether an address, as a socket connects to it, is on the public internet. Anything else is not. */
export function isOutside(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const plain = ipv4In(address) ?? address;
  if (isIPv4(plain)) return !insideIpv4.check(plain, 'ipv4');
  return globalIpv6.check(plain, 'ipv6') && !insideIpv6.check(plain, 'ipv6');
}

/** Answers whether the server may connect to an address. */
export type AddressCheck = (address: string) => boolean;

/**
 * The check that also lets through these addresses and networks (`10.1.0.0/16`, `::1`); null when one of them
 * is neither.
 */
export function createAddressCheck(allowed: readonly string[]): AddressCheck | null {
  const list = new BlockList();
  for (const entry of allowed) {
    const [address = '', prefix, ...rest] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const length = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
    if (isIP(address) === 0 || address.includes('%') || rest.length > 0 || length > most) return null;
    list.addSubnet(address, length, family);
  }
  return (address) => {
    if (isOutside(address)) return true;
    const plain = ipv4In(address) ?? address;
    return isIP(plain) !== 0 && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  };
}
