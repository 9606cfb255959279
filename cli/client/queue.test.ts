import { expect, it } from 'vitest';
import { matchId } from './queue.ts';

const FIRST = 'task_0W9xkzQm00a7Gd2kPq81Zs';
const SECOND = 'task_0W9xkzRn00a7Gd2kPq82Zs';

it.each([
  ['Pq81Zs', FIRST],
  ['0W9xkzR', SECOND],
  ['task_0W9xkzQ', FIRST],
  [SECOND, SECOND],
  // A whole id need not be listed: the server decides.
  ['task_0000000000000000000000', 'task_0000000000000000000000'],
])('%s stands for %s', (part, id) => {
  expect(matchId(part, [FIRST, SECOND, FIRST])).toBe(id);
});

it.each([
  ['0W9xkz', '2 tasks have an id with'],
  ['00a7Gd', 'No task in the queue'],
  ['Zs', 'too short'],
  ['', 'too short'],
])('%j is refused: %s', (part, message) => {
  expect(() => matchId(part, [FIRST, SECOND])).toThrow(message);
});
