// How the sender proves who it is: a choice of schemes, each with its fields.
import { ShieldAlert } from 'lucide-react';
import type { IntakeKindInfo } from '#core/contract/index.ts';
import { Card } from '../../../../ui/card.tsx';
import { SelectField } from '../../../../ui/field.tsx';
import { isUnverified, UNVERIFIED } from '../../model/labels.ts';
import { proofOf, schemeFields, schemeOf, type Draft } from '../../model/draft.ts';
import { errorAt, type FieldErrors } from '../../model/field-errors.ts';
import { fieldsOf } from '../../model/schema-form.ts';
import { SchemaFields } from './schema-fields.tsx';

interface ProofCardProps {
  kind: IntakeKindInfo;
  draft: Draft;
  onChange: (draft: Draft) => void;
  errors: FieldErrors | null;
  busy: boolean;
  /** The scheme and the names of the secrets that the server has. */
  stored: { scheme: string; secrets: readonly string[] } | null;
}

export function ProofCard({ kind, draft, onChange, errors, busy, stored }: ProofCardProps) {
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
          <SelectField
            label="Verification"
            error={errorAt(errors, 'verification/scheme')}
            hint={scheme?.description ?? null}
            value={draft.scheme}
            disabled={busy}
            onChange={(id) => onChange({ ...draft, scheme: id, removed: new Set() })}
            options={kind.schemes.map(({ id, title }) => ({ value: id, label: title }))}
          />
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
          errors={errors}
          disabled={busy}
          stored={new Set(stored?.scheme === draft.scheme ? stored.secrets : [])}
          removed={draft.removed}
          onRemove={(name, remove) => {
            const removed = new Set(draft.removed);
            if (remove) removed.add(name);
            else removed.delete(name);
            onChange({ ...draft, removed });
          }}
        />
        <SchemaFields
          fields={settings}
          values={draft.settings}
          onChange={(values) => onChange({ ...draft, settings: values })}
          path="settings"
          errors={errors}
          disabled={busy}
        />
      </div>
    </Card>
  );
}
