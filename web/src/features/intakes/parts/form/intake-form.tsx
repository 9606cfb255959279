// The whole form of an intake, to make one or to change one. What the server finds wrong stands at its field, and the first such
// field gets the focus.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { IntakeKindInfo } from '#core/contract/index.ts';
import { Banner, ProblemText } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { Field, INPUT } from '../../../../ui/field.tsx';
import type { Draft } from '../../model/draft.ts';
import { errorAt, fieldErrorsOf, summaryOf, type FieldErrors } from '../../model/field-errors.ts';
import { ProofCard } from './proof-card.tsx';
import { TasksCard } from './tasks-card.tsx';

interface IntakeFormProps {
  kind: IntakeKindInfo;
  start: Draft;
  kept: { scheme: string; secrets: readonly string[] } | null;
  /** What the button says: "Create intake". */
  action: string;
  /** What is said when it failed and no better text is known. */
  fallback: string;
  /** Below the name. */
  children?: ReactNode;
  /** Presets can be changed here. */
  choosesPreset?: boolean;
  cancel?: ReactNode;
  /** Rejects when it could not be saved. */
  onSave: (draft: Draft) => Promise<void>;
}

export function IntakeForm({
  kind,
  start,
  kept,
  action,
  fallback,
  children,
  choosesPreset = false,
  cancel,
  onSave,
}: IntakeFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(start);
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<FieldErrors | null>(null);

  useEffect(() => {
    if (faults === null) return;
    const first = form.current?.querySelector('[aria-invalid=true]');
    if (first instanceof HTMLElement) first.focus();
  }, [faults]);

  async function save() {
    if (busy) return;
    setBusy(true);
    setFaults(null);
    try {
      await onSave(draft);
    } catch (error) {
      setFaults(fieldErrorsOf(error, fallback));
    } finally {
      setBusy(false);
    }
  }

  const shared = { kind, draft, onChange: setDraft, faults, busy };
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Card title="Sender">
        <div className="flex flex-col gap-4">
          <Field label="Name" error={errorAt(faults, 'name')}>
            {(control) => (
              <input
                {...control}
                value={draft.name}
                disabled={busy}
                required
                maxLength={100}
                autoComplete="off"
                onChange={(event) => setDraft({ ...draft, name: event.target.value })}
                className={`${INPUT} h-10`}
              />
            )}
          </Field>
          {choosesPreset && kind.presets.length > 0 ? (
            <Field
              label="Read as"
              hint="Which sender’s payloads it expects."
              error={errorAt(faults, 'preset')}
            >
              {(control) => (
                <select
                  {...control}
                  value={draft.preset ?? ''}
                  disabled={busy}
                  onChange={(event) => setDraft({ ...draft, preset: event.target.value })}
                  className={`${INPUT} h-10`}
                >
                  {kind.presets.map(({ id, title }) => (
                    <option key={id} value={id}>
                      {title}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ) : null}
          {children}
        </div>
      </Card>
      <ProofCard {...shared} kept={kept} />
      <TasksCard {...shared} />
      {faults === null ? null : (
        <Banner tone="danger" onDismiss={() => setFaults(null)}>
          <ProblemText {...summaryOf(faults)} />
        </Banner>
      )}
      <div className="flex items-center justify-end gap-2">
        {cancel}
        <Button type="submit" kind="primary" disabled={busy || draft.name.trim() === ''}>
          {busy ? 'Saving…' : action}
        </Button>
      </div>
    </form>
  );
}
