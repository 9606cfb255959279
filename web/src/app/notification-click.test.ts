import { expect, test } from 'vitest';
import { tapAmong } from '../../test/worker.ts';

test.each([
  ['opens the inbox where no tab has it', ['https://q.example/admin'], 'open /inbox'],
  [
    'goes to the tab that has it',
    ['https://q.example/', 'https://q.example/inbox?priority=high'],
    'focus https://q.example/inbox?priority=high',
  ],
])('a tap on a notification %s', async (_, tabs, expected) => {
  expect(await tapAmong(...tabs)).toEqual(['close', expected]);
});
