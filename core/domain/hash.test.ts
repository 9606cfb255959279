// What is stored is found again by it, so its form may not change.
import { expect, it } from 'vitest';
import { fingerprintOf } from './hash.ts';

it('gives a value the same text in every release', () => {
  expect(fingerprintOf(['scope', 'clé'])).toBe('imScrcF83DM41LY5ySh1GQMWo3zX6cSAfXMY0fau5iA');
  expect(fingerprintOf(['scope'])).not.toBe(fingerprintOf('scope'));
});
