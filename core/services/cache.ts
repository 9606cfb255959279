// The caches of the services: what was used least recently goes first.
import { LRUCache } from 'lru-cache';

/** A cache of at most `max` entries, which takes memory only for those that it has. */
export function createCache<Value extends object | string | number | boolean>(
  max: number,
): LRUCache<string, Value> {
  // Its option `max` would take the memory of all entries at once.
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
}
