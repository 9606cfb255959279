// Names of emoji read as what they name, and what only looks like one stays as it is.
import { expect, test } from 'vitest';
import { withEmoji } from './emoji.ts';

const others = new Map([
  ['melting_face', '🫠'],
  ['wave::skin-tone-5', '👋🏾'],
  ['wave', '👋'],
]);

test.each([
  ['shipped :rocket::tada:', 'shipped 🚀🎉'],
  ['done:tada: 完了:tada:です', 'done🎉 完了🎉です'],
  [':+1::skin-tone-3: :muscle::skin-tone-6:', '👍🏼 💪🏿'],
  [':melting_face: :wave::skin-tone-5: :wave::skin-tone-2:', '🫠 👋🏾 👋🏻'],
  ['root:x:0:0 fe80:x:1 10:30:00', 'root:x:0:0 fe80:x:1 10:30:00'],
  [
    ':party-parrot: :party-parrot::skin-tone-2: :constructor:',
    ':party-parrot: :party-parrot::skin-tone-2: :constructor:',
  ],
])('%s reads %s', (text, shown) => {
  expect(withEmoji(text, others)).toBe(shown);
});
