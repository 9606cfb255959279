// How proxies in front of the server are named: by address, by network, or by the name of a range.
import { createAddressCheck } from './outside.ts';

/** Names of ranges that the server knows: 127.0.0.0/8 and ::1; link-local; private and unique local ones. */
const RANGES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** Whether this is `10.0.0.1`, `fd00::/8`, `loopback` or the like. A network of all addresses is none. */
export function isProxyAddress(text: string): boolean {
  return RANGES.includes(text) || (createAddressCheck([text]) !== null && !/\/0+$/.test(text));
}
