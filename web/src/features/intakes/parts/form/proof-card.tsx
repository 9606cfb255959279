// How the sender proves that it is the sender: a choice of schemes, each with the fields that it asks for.
import { ShieldAlert } from 'lucide-react';
import type { IntakeKindInfo } from '#core/contract/index.ts';
import { Card } from '../../../../ui/card.tsx';
import { Field, INPUT } from '../../../../ui/field.tsx';
import { isUnverified, UNVERIFIED } from '../../model/labels.ts';
import { proofOf, schemeFields, schemeOf, type Draft } from '../../model/draft.ts';
import { errorAt, type FieldErrors } from '../../model/field-errors.ts';
import { fieldsOf } from '../../model/fields.ts';
import { SchemaFields } from './schema-fields.tsx';

interface ProofCardProps {
  kind: IntakeKindInfo;
  draft: Draft;
  onChange: (draft: Draft) => void;
  faults: FieldErrors | null;
  busy: boolean;
  /** Scheme and names of the secrets that the server has. */
  kept: { scheme: string; secrets: readonly string[] } | null;
}

export function ProofCard({ kind, draft, onChange, faults, busy, kept }: ProofCardProps) {
  const scheme = schemeOf(kind, draft.scheme);
  const settings = fieldsOf(kind.settings);
  const open = isUnverified(
    { verification: { scheme: draft.scheme, options: {}, secrets: [] }, settings: draft.settings },
    kind,
  );
  return (
    <Card title="Proof" description="How Qinbox knows that it is the sender who sends.">
      <div className="flex flex-col gap-4">
        {kind.schemes.length === 1 ? (
          <p className="text-14">
            <span className="font-medium">{scheme?.title}.</span> {scheme?.description}
          </p>
        ) : (
          <Field
            label="Verification"
            error={errorAt(faults, 'verification/scheme')}
            {...(scheme === null ? {} : { hint: scheme.description })}
          >
            {(control) => (
              <select
                {...control}
                value={draft.scheme}
                disabled={busy}
                onChange={(event) => onChange({ ...draft, scheme: event.target.value, forgotten: new Set() })}
                className={`${INPUT} h-10`}
              >
                {kind.schemes.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {open ? (
          <p className="flex items-start gap-2.5 rounded-md bg-warn-soft px-3.5 py-2.5 text-14">
            <ShieldAlert size={18} aria-hidden className="mt-px shrink-0 text-warn" />
            {UNVERIFIED}
          </p>
        ) : null}
        <SchemaFields
          key={draft.scheme}
          fields={schemeFields(kind, draft.scheme)}
          values={proofOf(draft, kind)}
          onChange={(values) => onChange({ ...draft, proof: { ...draft.proof, [draft.scheme]: values } })}
          path="verification"
          faults={faults}
          disabled={busy}
          kept={new Set(kept?.scheme === draft.scheme ? kept.secrets : [])}
          forgotten={draft.forgotten}
          onForget={(name, forget) => {
            const forgotten = new Set(draft.forgotten);
            if (forget) forgotten.add(name);
            else forgotten.delete(name);
            onChange({ ...draft, forgotten });
          }}
        />
        <SchemaFields
          fields={settings}
          values={draft.settings}
          onChange={(values) => onChange({ ...draft, settings: values })}
          path="settings"
          faults={faults}
          disabled={busy}
        />
      </div>
    </Card>
  );
}
