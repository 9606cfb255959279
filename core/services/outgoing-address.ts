// The addresses that users have Qinbox send to.
import { isIP } from 'node:net';
import type { AddressCheck } from '../domain/outside.ts';
import { invalid } from '../errors.ts';

interface Parts {
  mayReach: AddressCheck;
  /** Whether the operator allows addresses without TLS. */
  allowHttp: boolean;
}

/** The address as it is stored; VALIDATION_ERROR for the field when it is none. */
export type ReadAddress = (text: string, field: string) => string;

/** What a name leads to is checked at each connection. */
export function createReadAddress({ mayReach, allowHttp }: Parts): ReadAddress {
  return (text, field) => {
    const refused = (message: string) => invalid([{ field, message }]);
    const url = URL.parse(text.trim());
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
      throw refused('must be an address such as https://hooks.example.com/qinbox');
    if (url.protocol === 'http:' && !allowHttp)
      throw refused('must begin with https:// (the operator may allow http with WEBHOOK_HTTP=true)');
    if (url.username !== '' || url.password !== '')
      throw refused('must not hold a user name or password: check the signature instead');
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !mayReach(host))
      throw refused(
        'must be an address of the public internet (the operator may allow others with OUTGOING_ALLOW)',
      );
    url.hash = '';
    return url.href;
  };
}
