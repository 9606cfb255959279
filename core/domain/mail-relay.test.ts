// Whom the operator lets be mailed, and nobody who only looks the same.
import { expect, it } from 'vitest';
import { createMailCheck } from './mail-relay.ts';

it.each([
  [
    'ann@example.com',
    ['Ann@Example.com'],
    ['bob@example.com', 'ann@example.com.evil.example', 'ann@sub.example.com'],
  ],
  ['@example.com', ['ann@example.com', 'bob@EXAMPLE.com'], ['ann@sub.example.com', 'ann@anexample.com']],
  ['@bücher.example', ['ann@bücher.example', 'ann@xn--bcher-kva.example'], ['ann@bucher.example']],
  [
    '*',
    ['ann@example.com'],
    ['ann', 'ann@example.com, bob@example.com', 'ann@example.com\r\nRCPT TO:<bob@x.example>'],
  ],
  ['', [], ['ann@example.com', '']],
])('MAIL_TO=%s', (list, allowed, refused) => {
  const mayMail = createMailCheck(list === '' ? [] : list.split(','));
  expect(allowed.filter((address) => mayMail?.(address) !== true)).toEqual([]);
  expect(refused.filter((address) => mayMail?.(address) !== false)).toEqual([]);
});
