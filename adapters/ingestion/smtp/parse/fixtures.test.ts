// Real mails and what they become, mail by mail. UPDATE_GOLDENS=1 writes the expected tasks anew.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readMail } from './read-mail.ts';
import { toDelivery } from './to-delivery.ts';

const folder = new URL('../fixtures/', import.meta.url);
const mails = readdirSync(folder).filter((name) => name.endsWith('.eml'));

test.each(mails)('%s becomes the task that a reader expects', async (name) => {
  const read = await readMail(readFileSync(new URL(name, folder)));
  const reading = read.kind === 'mail' ? toDelivery(read.mail, 'in.example.net') : read;
  const golden = new URL(name.replace(/\.eml$/, '.task.json'), folder);
  if (process.env['UPDATE_GOLDENS'] === '1') {
    writeFileSync(
      golden,
      `${JSON.stringify('tasks' in reading ? (reading.tasks[0] ?? reading) : reading, null, 2)}\n`,
    );
  }
  const expected: unknown = JSON.parse(readFileSync(golden, 'utf8'));
  expect('tasks' in reading ? (reading.tasks[0] ?? reading) : reading).toEqual(expected);
});

test('there are mails to read', () => expect(mails.length).toBeGreaterThan(80));
