// Networks from which an account's password was proven since the start: served first, so that strangers who
// guess cannot take the owner's place.
import { LRUCache } from 'lru-cache';
import { hashSecret } from '../domain/api-key.ts';

const MAX_KNOWN = 10_000;

export interface KnownNetworks {
  has(account: string, network: string): boolean;
  add(account: string, network: string): void;
}

export function createKnownNetworks(): KnownNetworks {
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });
  // Hashed: a memory dump does not show who signs in from where.
  const keyOf = (account: string, network: string) => hashSecret(`${account} ${network}`);
  return {
    has: (account, network) => known.has(keyOf(account, network)),
    add: (account, network) => void known.set(keyOf(account, network), true),
  };
}
