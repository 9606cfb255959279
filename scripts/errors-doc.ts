// Writes docs/errors.md from the one table of errors: `node scripts/errors-doc.ts`. A test compares the two.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ERROR_TABLE, type ErrorCode } from '#core/errors.ts';

/** What a caller does about it. */
const WHAT_TO_DO: Record<ErrorCode, string> = {
  VALIDATION_ERROR:
    'Look at `details`: it names each field and what it must be. Nothing was stored. The same request fails again.',
  UNAUTHORIZED:
    'Send an API key as `x-api-key`, or an access token as `Authorization: Bearer`. A key that is not complete, was revoked or is over is said to be so; make another one in Settings or by `qinbox key create`.',
  TOKEN_EXPIRED: 'Exchange the refresh token at `POST /auth/refresh`, and send the request again.',
  FORBIDDEN:
    'The account may not do this: it is for administrators, for people who are signed in, or switched off by the operator. The text says which.',
  INSUFFICIENT_SCOPE: 'Make a key with the scope that the text names (`read`, `write` or `ingest`).',
  NOT_FOUND:
    'Look at the address and the id. A task that expired, was acknowledged, or belongs to somebody else is answered so, too.',
  METHOD_NOT_ALLOWED: 'The `Allow` header lists the methods of this address.',
  REQUEST_TIMEOUT:
    'Send it again, over a connection that is quick enough to bring the whole request in time.',
  CONFLICT: 'The text says what is there already, for example a name or a key. Change yours, or that one.',
  IDEMPOTENCY_IN_PROGRESS:
    'Wait a moment, then send the same request again: it is answered what the first one was.',
  PRECONDITION_FAILED:
    'Somebody changed it since you read it. Read it again, decide, and send `If-Match` with the new `ETag`.',
  PAYLOAD_TOO_LARGE:
    'Send less: the limits are in [the API](api.md#limits). A long log belongs behind a link.',
  UNSUPPORTED_MEDIA_TYPE: 'Send `Content-Type: application/json`, or what the call names besides.',
  IDEMPOTENCY_KEY_REUSED:
    'A key stands for one request. Use a new one for another body, and the same one only for a retry.',
  UPGRADE_REQUIRED: 'Open it as a WebSocket ([live](api.md#live)).',
  RATE_LIMITED:
    'Wait for the seconds in `Retry-After`. `X-RateLimit-Remaining` says how much is left; a batch carries 500 tasks in one request. Intakes answer 503 instead, because many senders drop a delivery on 429.',
  QUOTA_EXCEEDED:
    'The queue has as many tasks or bytes as the operator allows. Acknowledge some, let them expire sooner, or give repeats a `dedupeKey`. The operator sets the [quotas](operations.md#quotas).',
  INTERNAL_ERROR:
    'A fault of the server. Send it again with the same `Idempotency-Key`; tell the operator the `requestId`, which is in the log.',
  SERVICE_UNAVAILABLE:
    'The store or the queue does not answer, or the server is ending. Send it again, after the seconds in `Retry-After` where there are some; `/ready` tells the operator which.',
};

/** The page, as it should be. */
export function errorsPage(): string {
  const entries = Object.entries(ERROR_TABLE) as [ErrorCode, (typeof ERROR_TABLE)[ErrorCode]][];
  const rows = entries.map(
    ([code, { http, smtp, queue }]) => `| [\`${code}\`](#${anchorOf(code)}) | ${http} | ${smtp} | ${queue} |`,
  );
  const sections = entries.flatMap(([code, { http, text }]) => [
    `## ${code}`,
    '',
    `**${http}.** “${text}”`,
    '',
    WHAT_TO_DO[code],
    '',
  ]);
  return [
    '# Errors',
    '',
    'Every answer that is not a success has the body `{success: false, error, code, requestId, details?}`. `code` is stable, and has its place on this page:',
    '`/docs/errors#not_found` of your own server. `error` is for people, and often more exact than the text here; `details` lists `{field, message}` for each field',
    'that was refused; `requestId` is also in the `x-request-id` header and in the log.',
    '',
    '| code | HTTP | SMTP | queue |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    'HTTP is the status of the API and of webhooks, SMTP the reply to a mail, and the last column says what the queue of the production size does with a submission.',
    '',
    ...sections,
    'This page is made from `core/errors.ts` by `node scripts/errors-doc.ts`.',
    '',
  ].join('\n');
}

/** As headings are named, here and on file hosts. */
const anchorOf = (code: ErrorCode) => code.toLowerCase();

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../docs/errors.md', import.meta.url), errorsPage());
