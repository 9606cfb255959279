// Writes docs/errors.md from the one table of errors: `node scripts/errors-doc.ts`. A test compares the two.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ERROR_TABLE } from '#core/errors.ts';

/** The page, as it should be. */
export function errorsPage(): string {
  const rows = Object.entries(ERROR_TABLE).map(
    ([code, { http, smtp, queue, text }]) => `| \`${code}\` | ${http} | ${smtp} | ${queue} | ${text} |`,
  );
  return [
    '# Errors',
    '',
    'Every answer that is not a success has the body `{success: false, error, code, requestId, details?}`. `code` is stable; `error` is for people;',
    '`details` lists `{field, message}` for each field that was refused; `requestId` is also in the `x-request-id` header and in the log.',
    '',
    '| code | HTTP | SMTP | queue | text unless a more exact one is given |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    'This page is made from `core/errors.ts` by `node scripts/errors-doc.ts`.',
    '',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../docs/errors.md', import.meta.url), errorsPage());
