// The payload of the preview, and the tasks that it would become.
import { useMemo } from 'react';
import type { Intake, Preview } from '#core/contract/index.ts';
import { fullTime } from '../../../../lib/time.ts';
import { ProblemBanner } from '../../../../ui/banner.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Field, INPUT, SelectField } from '../../../../ui/field.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useDeliveries } from '../../data/intakes.ts';
import { isInTemplates, type FieldErrors } from '../../model/field-errors.ts';
import { payloadOf } from '../../model/paths.ts';
import { PayloadTree } from './payload-tree.tsx';
import { PreviewResult } from './preview-result.tsx';
import type { Subject } from '../../data/use-preview.ts';

const SOURCE: Record<Preview['source'], string> = {
  delivery: 'what was delivered',
  sample: 'a sample, as nothing was delivered yet',
  given: 'what you have pasted',
};

interface PreviewCardProps extends SubjectFieldsProps {
  /** The last preview that succeeded. */
  preview: Preview | null;
  errors: FieldErrors | null;
  isStale: boolean;
  /** Null while no template is written. */
  onPick: ((name: string) => void) | null;
}

export function PreviewCard({
  intake,
  preview,
  errors,
  isStale,
  subject,
  onSubject,
  onPick,
}: PreviewCardProps) {
  return (
    <Card
      title="Preview"
      description={preview === null ? undefined : `Of ${SOURCE[preview.source]}. Nothing is stored.`}
    >
      <div className="flex flex-col gap-4">
        <SubjectFields intake={intake} subject={subject} onSubject={onSubject} />
        <div
          aria-live="polite"
          aria-busy={isStale}
          className={isStale ? 'opacity-60 transition-opacity' : 'transition-opacity'}
        >
          {errors !== null ? (
            <PreviewErrors errors={errors} />
          ) : preview === null ? (
            <Spinner label="Reading the payload" />
          ) : (
            <PreviewResult preview={preview} />
          )}
        </div>
        {preview === null || onPick === null ? null : (
          <PayloadValues request={preview.request} onPick={onPick} />
        )}
      </div>
    </Card>
  );
}

interface SubjectFieldsProps {
  intake: Intake;
  subject: Subject;
  onSubject: (subject: Subject) => void;
}

function SubjectFields({ intake, subject, onSubject }: SubjectFieldsProps) {
  const deliveries = useDeliveries(intake.id).data?.filter(({ canReplay }) => canReplay) ?? [];

  function choose(value: string) {
    if (value === 'latest') onSubject({ kind: 'latest' });
    else if (value === 'pasted') onSubject({ kind: 'pasted', text: '' });
    else onSubject({ kind: 'delivery', id: value });
  }

  return (
    <>
      <SelectField
        label="Try it on"
        value={subject.kind === 'delivery' ? subject.id : subject.kind}
        onChange={choose}
        options={[
          {
            value: 'latest',
            label: deliveries.length === 0 ? 'A sample of what is sent' : 'The last delivery',
          },
          ...deliveries
            .slice(1)
            .map(({ id, at, event }) => ({ value: id, label: `${fullTime(at)} ${event ?? ''}` })),
          { value: 'pasted', label: 'A payload that I paste' },
        ]}
      />
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
    </>
  );
}

// An error in a template is shown at its field.
function PreviewErrors({ errors }: { errors: FieldErrors }) {
  return isInTemplates(errors) ? (
    <p className="text-14 text-ink-2">There is no preview before the templates are right.</p>
  ) : (
    <ProblemBanner problem={errors.problem} />
  );
}

function PayloadValues({ request, onPick }: { request: Preview['request']; onPick: (name: string) => void }) {
  const payload = useMemo(() => payloadOf(request.body, request.contentType), [request]);
  return (
    <section aria-label="Payload values">
      <h3 className="text-14 font-semibold">Values</h3>
      <p className="mt-0.5 mb-2 text-13 text-ink-3">A click puts one into the template.</p>
      <div className="max-h-96 overflow-auto rounded-md border border-line-1 bg-surface-2 p-3">
        <PayloadTree value={payload} onPick={onPick} />
        {Object.keys(request.headers).length === 0 ? null : (
          <details translate="no" className="mt-2 border-t border-line-1 pt-2 font-mono text-13">
            <summary className="rounded-sm text-ink-2 hover:text-ink-1">headers</summary>
            <PayloadTree value={request.headers} root="headers" onPick={onPick} />
          </details>
        )}
      </div>
    </section>
  );
}
