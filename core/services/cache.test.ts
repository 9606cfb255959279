import { expect, it } from 'vitest';
import { createCache } from './cache.ts';

it('a cache forgets what was used least recently, once it is full', () => {
  const cache = createCache<number>(2);
  cache.set('first', 1).set('second', 2);
  cache.get('first');
  cache.set('third', 3);
  expect([...cache.keys()].toSorted()).toEqual(['first', 'third']);
});
