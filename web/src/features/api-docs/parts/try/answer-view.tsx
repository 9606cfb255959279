// What came back: its status and time, what a program reads of its headers, its body; an error in words.
import type { ReactNode } from 'react';
import { asRecord } from '../../../../lib/json.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Code } from '../../../../ui/code.tsx';
import type { Answer } from '../../data/send.ts';
import type { ApiDocument } from '../../model/document.ts';
import { CodeFigure } from '../code.tsx';

/** The headers that programs act by, in the order in which they are shown. */
const TOLD_HEADERS = [
  'Content-Type',
  'ETag',
  'Retry-After',
  'Idempotency-Replayed',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** The reasons of the statuses, which HTTP/2 does not send. */
function reasonOf({ status, statusText }: Answer): string {
  return statusText === '' ? String(status) : `${status} ${statusText}`;
}

export function AnswerView({ answer, document: api }: { answer: Answer; document: ApiDocument }) {
  const { status, durationMs, headers, text, json, isCut } = answer;
  const isGood = status < 400;
  const isJson = json !== undefined;
  const body = isJson ? JSON.stringify(json, null, 2) : text;
  const told = TOLD_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p role="status" className="nums flex flex-wrap items-center gap-x-3 gap-y-1 text-14">
        <span className={`font-semibold ${isGood ? 'text-ok' : 'text-danger'}`}>{reasonOf(answer)}</span>
        <span className="text-ink-2">{Math.max(1, Math.round(durationMs))} ms</span>
        <span className="text-ink-2">{sizeOf(text)}</span>
      </p>
      {isGood ? null : <Failure answer={answer} document={api} />}
      {body === '' ? (
        <p className="text-14 text-ink-2">The answer has no body.</p>
      ) : (
        <CodeFigure title={isCut ? 'Body, as far as it was read' : 'Body'} code={body} language="json" />
      )}
      {told.length === 0 ? null : (
        <dl aria-label="Headers of the answer" className="flex flex-col gap-1 text-13">
          {told.map(([name, value]) => (
            <div key={name} className="flex flex-wrap gap-x-2">
              <dt translate="no" className="font-mono text-ink-2">
                {name}:
              </dt>
              <dd translate="no" className="min-w-0 font-mono wrap-anywhere text-ink-1">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

// The server's own words, field by field, and what its code means.
function Failure({ answer: { status, json }, document: api }: { answer: Answer; document: ApiDocument }) {
  const { error, code, details } = asRecord(json);
  const meaning = api['x-error-codes'].find((known) => known.code === code)?.description;
  const fields = Array.isArray(details) ? details.map(asRecord) : [];
  const title = typeof error === 'string' && error !== '' ? error : `The server answered ${status}`;
  // The error itself is about the first one.
  const others = fields.filter(({ field, message }) => title !== `${String(field)}: ${String(message)}`);
  const rest: ReactNode[] = [
    others.length > 0 ? (
      <ul key="fields">
        {others.map(({ field, message }) => (
          <li key={`${String(field)} ${String(message)}`}>
            <Code className="text-13">{String(field)}</Code>: {String(message)}
          </li>
        ))}
      </ul>
    ) : null,
    typeof code === 'string' ? (
      <p key="code" className="text-13 text-ink-2">
        <Code>{code}</Code>
        {meaning === undefined || meaning === error ? null : ` · ${meaning}`}
      </p>
    ) : null,
  ];
  return (
    <Banner tone="danger" title={title}>
      {rest}
    </Banner>
  );
}

function sizeOf(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}
