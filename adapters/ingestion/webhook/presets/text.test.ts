// What is read of HTML and Markdown in webhooks.
import { expect, test } from 'vitest';
import { plain, plainHtml } from './text.ts';

const PICTURE = `data:image/png;base64,${'iVBORw0KGgo/'.repeat(5000)}`;

test('the text after a large picture in it is read, and nothing of the picture', () => {
  expect(plainHtml(`<p>Before</p><img src="${PICTURE}"><p>after</p>`)).toBe('Before\n\nafter');
  expect(plain(`Before\n\n![a plan](${PICTURE})\n\nafter`)).toBe('Before\n\na plan\n\nafter');
});
