// The table of errors and the page that is made of it agree.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorsPage } from '../scripts/errors-doc.ts';
import { ERROR_TABLE, invalid, QinboxError } from './errors.ts';

it('docs/errors.md is what the table makes it', () => {
  expect(readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8')).toBe(errorsPage());
});

it('faults that may pass are retried by the queue and by mail servers, the others are not', () => {
  for (const [code, { http, smtp, queue }] of Object.entries(ERROR_TABLE)) {
    const temporary = http >= 500 || http === 429 || http === 408 || code === 'IDEMPOTENCY_IN_PROGRESS';
    expect([code, queue, smtp >= 400 && smtp < 500]).toEqual([
      code,
      temporary ? 'retry' : 'reject',
      temporary,
    ]);
  }
});

it('a refusal reads alone and names its fields; its cause stays inside', () => {
  const refused = invalid([{ field: 'tags/3', message: 'must be at most 50 characters' }]);
  expect([refused.status, refused.message]).toEqual([400, 'tags/3: must be at most 50 characters']);
  const fault = new QinboxError('INTERNAL_ERROR', undefined, { cause: new Error('ENOENT /secret/path') });
  expect(fault.message).not.toContain('secret');
});
