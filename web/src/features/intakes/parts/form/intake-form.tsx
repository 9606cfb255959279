// The form of an intake, to create or to change one. Errors of the server are shown at their fields, and the
// first such field gets the focus.
import { useState, type ReactNode } from 'react';
import type { IntakeKindInfo } from '#core/contract/index.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { ProblemBanner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { SelectField, TextField } from '../../../../ui/field.tsx';
import { Form } from '../../../../ui/form.tsx';
import type { Draft } from '../../model/draft.ts';
import { errorAt, fieldErrorsOf, summaryOf, type FieldErrors } from '../../model/field-errors.ts';
import { ProofCard } from './verification-card.tsx';
import { TasksCard } from './tasks-card.tsx';

interface IntakeFormProps {
  kind: IntakeKindInfo;
  start: Draft;
  stored: { scheme: string; secrets: readonly string[] } | null;
  /** What the button says: "Create intake". */
  action: string;
  /** For failures without a text. */
  fallback: string;
  /** Below the name. */
  children?: ReactNode;
  /** The preset can be changed here. */
  choosesPreset?: boolean;
  /** Rejects when it could not be saved. */
  onSave: (draft: Draft) => Promise<void>;
}

export function IntakeForm(props: IntakeFormProps) {
  const { kind, start, stored, action, fallback, children, choosesPreset = false, onSave } = props;
  const [draft, setDraft] = useState(start);
  const { busy, problem: errors, setProblem: setErrors, run } = useAction<FieldErrors>();

  async function save() {
    if (busy) return;
    await run(
      () => onSave(draft),
      (error) => fieldErrorsOf(error, fallback),
    );
  }

  const shared = { kind, draft, onChange: setDraft, errors, busy };
  return (
    <Form noValidate failure={errors} className="flex flex-col gap-4" onSubmit={() => void save()}>
      <Card title="Sender">
        <div className="flex flex-col gap-4">
          <TextField
            label="Name"
            error={errorAt(errors, 'name')}
            value={draft.name}
            disabled={busy}
            required
            maxLength={100}
            onChange={(name) => setDraft({ ...draft, name })}
          />
          {choosesPreset && kind.presets.length > 0 ? (
            <SelectField
              label="Read as"
              hint="Which sender’s payloads it expects."
              error={errorAt(errors, 'preset')}
              value={draft.preset ?? ''}
              disabled={busy}
              onChange={(preset) => setDraft({ ...draft, preset })}
              options={kind.presets.map(({ id, title }) => ({ value: id, label: title }))}
            />
          ) : null}
          {children}
        </div>
      </Card>
      <ProofCard {...shared} stored={stored} />
      <TasksCard {...shared} />
      <ProblemBanner problem={errors && summaryOf(errors)} onDismiss={() => setErrors(null)} />
      <Button type="submit" kind="primary" className="self-end" disabled={busy || draft.name.trim() === ''}>
        {busy ? 'Saving…' : action}
      </Button>
    </Form>
  );
}
