import { expect, test } from 'vitest';
import { addTags, tagProblem } from './tags.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => `tag ${index}`);

test('tags that would be too many or too long are said, and none is dropped', () => {
  const full = addTags(many(20), ['tag 3']);
  const over = addTags(many(20), ['one more']);
  expect(over.at(-1)).toBe('one more');
  expect(tagProblem([full])).toBeNull();
  expect(tagProblem([over])).toBe('An item has at most 20 tags.');
  expect(tagProblem([full, over, many(2)])).toBe('An item has at most 20 tags: 1 item would have more.');
  expect(tagProblem([['\u{1F4E6}'.repeat(50)]])).toBeNull();
  expect(tagProblem([['a'.repeat(51)]])).toBe('A tag has at most 50 characters.');
});
