import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sendersPage } from '../../scripts/senders-doc.ts';

// The formatter pads the cells of tables.
const tidy = (page: string) => page.replace(/ +/g, ' ').replace(/-{3,}/g, '---');

it('docs/senders.md is what scripts/senders-doc.ts makes of the tables that the tests run', () => {
  const page = readFileSync(new URL('../../docs/senders.md', import.meta.url), 'utf8');
  expect(tidy(page)).toBe(tidy(sendersPage()));
});
