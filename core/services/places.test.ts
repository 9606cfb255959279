// Places that many share.
import { expect, it } from 'vitest';
import { createPlaces } from './places.ts';

it('gives no more places than there are, in the order in which they are asked for', async () => {
  const places = createPlaces(2);
  const got: number[] = [];
  const asked = [1, 2, 3, 4].map(async (n) => {
    if (await places.take()) got.push(n);
  });
  await Promise.all(asked.slice(0, 2));
  expect([places.taken(), got]).toEqual([2, [1, 2]]);
  places.free();
  await asked[2];
  expect([places.taken(), got]).toEqual([2, [1, 2, 3]]);
  places.close();
  await asked[3];
  expect(await places.take()).toBe(false);
  for (let n = 0; n < 2; n++) places.free();
  expect([places.taken(), got]).toEqual([0, [1, 2, 3]]);
});
