import { expect, test } from 'vitest';
import { storedMail, rawOf } from './stored-mail.ts';

const KIB = 1024;

test.each<[what: string, raw: Buffer, encoding: string, storedBytes: number]>([
  ['a text', Buffer.from('Subject: ü\r\n\r\nÄ\r\n'), 'text', 19],
  ['bytes that are no text', Buffer.from([0x53, 0xff, 0x0d, 0x0a]), 'base64', 4],
  ['64 KiB of text', Buffer.alloc(64 * KIB, 'a'), 'text', 64 * KIB],
  [
    'a longer text, up to its last whole line',
    Buffer.from('ü'.repeat(499).concat('\r\n').repeat(100)),
    'text',
    65_000 - (65_000 % 1000),
  ],
  ['more bytes that are no text', Buffer.alloc(100 * KIB, 0xff), 'base64', 48 * KIB],
])('%s is stored as it came', (_what, raw, encoding, storedBytes) => {
  const stored = storedMail(raw);
  expect(stored).toMatchObject({ encoding, clipped: storedBytes < raw.length });
  expect(stored.body.length).toBeLessThanOrEqual(64 * KIB);
  expect(rawOf(stored).equals(raw.subarray(0, storedBytes))).toBe(true);
});
