// Where the password of which account was proven since the start, so that strangers who guess at it cannot take its owner's turn.
import { hashSecret } from '../domain/api-key.ts';

/** The ones proven the longest ago are forgotten first. */
const MAX_PLACES = 10_000;

export interface KnownPlaces {
  has(account: string, network: string): boolean;
  add(account: string, network: string): void;
}

export function createKnownPlaces(): KnownPlaces {
  const places = new Set<string>();
  // Nobody who reads the memory learns who signs in from where.
  const nameOf = (account: string, network: string) => hashSecret(`${account} ${network}`);
  return {
    has: (account, network) => places.has(nameOf(account, network)),
    add(account, network) {
      const place = nameOf(account, network);
      places.delete(place);
      places.add(place);
      const [oldest] = places;
      if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest);
    },
  };
}
