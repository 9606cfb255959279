// The payload that a mapping is tried on, and what comes of it.
import { useMemo } from 'react';
import type { Intake, Preview } from '#core/contract/index.ts';
import { fullTime } from '../../../../lib/time.ts';
import { Banner, ProblemText } from '../../../../ui/banner.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Field, INPUT } from '../../../../ui/field.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useDeliveries } from '../../data/intakes.ts';
import type { FieldErrors } from '../../model/field-errors.ts';
import { payloadOf } from '../../model/paths.ts';
import { PayloadTree } from './payload-tree.tsx';
import { PreviewResult } from './preview-result.tsx';
import type { Subject } from '../../data/use-preview.ts';

const SOURCE: Record<Preview['source'], string> = {
  delivery: 'what was delivered',
  sample: 'a sample, as nothing was delivered yet',
  given: 'what you have pasted',
};

interface PreviewCardProps {
  intake: Intake;
  /** The last that could be made. */
  preview: Preview | null;
  faults: FieldErrors | null;
  isStale: boolean;
  subject: Subject;
  onSubject: (subject: Subject) => void;
  /** Null while no template is written. */
  onPick: ((name: string) => void) | null;
}

export function PreviewCard({
  intake,
  preview,
  faults,
  isStale,
  subject,
  onSubject,
  onPick,
}: PreviewCardProps) {
  const deliveries = useDeliveries(intake.id, null).data?.filter(({ canReplay }) => canReplay) ?? [];
  const request = preview?.request;
  const payload = useMemo(
    () => (request === undefined ? undefined : payloadOf(request.body, request.contentType)),
    [request],
  );
  // What is wrong with a template stands at its field.
  const isElsewhere =
    faults !== null && [...faults.byField.keys()].some((field) => field.startsWith('mapping/'));

  return (
    <Card
      title="Preview"
      description={preview === null ? undefined : `Of ${SOURCE[preview.source]}. Nothing is stored.`}
    >
      <div className="flex flex-col gap-4">
        <Field label="Try it on">
          {(control) => (
            <select
              {...control}
              value={subject.kind === 'delivery' ? subject.id : subject.kind}
              onChange={({ target: { value } }) =>
                onSubject(
                  value === 'latest'
                    ? { kind: 'latest' }
                    : value === 'pasted'
                      ? { kind: 'pasted', text: '' }
                      : { kind: 'delivery', id: value },
                )
              }
              className={`${INPUT} h-10`}
            >
              <option value="latest">
                {deliveries.length === 0 ? 'A sample of what is sent' : 'The last delivery'}
              </option>
              {deliveries.slice(1).map(({ id, at, event }) => (
                <option key={id} value={id}>
                  {fullTime(at)} {event ?? ''}
                </option>
              ))}
              <option value="pasted">A payload that I paste</option>
            </select>
          )}
        </Field>
        {subject.kind === 'pasted' ? (
          <Field label="Payload" hint="JSON; anything else is taken as text.">
            {(control) => (
              <textarea
                {...control}
                rows={4}
                value={subject.text}
                spellCheck={false}
                onChange={(event) => onSubject({ kind: 'pasted', text: event.target.value })}
                className={`${INPUT} max-h-60 field-sizing-content min-h-24 py-2 font-mono text-13`}
              />
            )}
          </Field>
        ) : null}
        <div
          aria-live="polite"
          aria-busy={isStale}
          className={isStale ? 'opacity-60 transition-opacity' : 'transition-opacity'}
        >
          {faults !== null ? (
            isElsewhere ? (
              <p className="text-14 text-ink-2">There is no preview before the templates are right.</p>
            ) : (
              <Banner tone="danger">
                <ProblemText {...faults.problem} />
              </Banner>
            )
          ) : preview === null ? (
            <Spinner label="Reading the payload" />
          ) : (
            <PreviewResult preview={preview} />
          )}
        </div>
        {request === undefined || onPick === null ? null : (
          <section aria-label="Payload values">
            <h3 className="text-14 font-semibold">Values</h3>
            <p className="mt-0.5 mb-2 text-13 text-ink-3">A click puts one into the template.</p>
            <div className="max-h-96 overflow-auto rounded-md border border-line-1 bg-surface-2 p-3">
              <PayloadTree value={payload} onPick={onPick} />
              {Object.keys(request.headers).length === 0 ? null : (
                <details className="mt-2 border-t border-line-1 pt-2 font-mono text-13">
                  <summary className="rounded-sm text-ink-2 hover:text-ink-1">headers</summary>
                  <PayloadTree value={request.headers} root="headers" onPick={onPick} />
                </details>
              )}
            </div>
          </section>
        )}
      </div>
    </Card>
  );
}
