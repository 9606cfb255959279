// The form of an escalation: its name, what it is for, and its steps.
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Escalation, SaveEscalation } from '#core/contract/index.ts';
import { MAX_ESCALATION_STEPS } from '#core/contract/limits.ts';
import { useWebhookList } from '../../../lib/webhook-list.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckBox } from '../../../ui/check-box.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { PriorityPills } from '../../../ui/priority-pills.tsx';
import { SaveForm, useSave, useUnderWay } from '../../../ui/save-form.tsx';
import { useHasDevices, type SlackPlace } from '../data/escalations.ts';
import {
  draftOf,
  faultsOf,
  inputOf,
  missingIn,
  newDraft,
  stepAfter,
  type Draft,
  type Faults,
  type StepDraft,
} from '../model/draft.ts';
import { StepFields } from './step-fields.tsx';

/** What an escalation can be for: an intake by its id, or everything else. */
export interface Choice {
  intake: string | null;
  label: string;
}

interface FormProps {
  /** The one that is edited; null for a new one. */
  escalation: Escalation | null;
  /** At least one: those that no other escalation is for. */
  choices: readonly Choice[];
  mail: boolean;
  slack: readonly SlackPlace[];
  onClose: () => void;
  onSubmit: (input: SaveEscalation) => Promise<void>;
}

export function EscalationDialog({ open, ...form }: FormProps & { open: boolean }) {
  const { escalation, onClose } = form;
  const [busy, onSubmit] = useUnderWay(form.onSubmit);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      busy={busy}
      title={escalation === null ? 'New escalation' : `Edit ${escalation.name}`}
    >
      <EscalationForm {...form} onSubmit={onSubmit} />
    </Dialog>
  );
}

/** The value of the choice of everything else, which no id is. */
const ELSE = '';

function EscalationForm({ escalation, choices, mail, slack, onClose, onSubmit }: FormProps) {
  const [draft, setDraft] = useState(() =>
    escalation === null ? newDraft(choices[0]?.intake ?? null) : draftOf(escalation),
  );
  const saving = useSave<Faults>({ failed: 'Failed to save the escalation', faultsOf });
  const { busy } = saving;
  const faults = saving.failure?.faults ?? {};
  const set = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });

  return (
    <SaveForm
      saving={saving}
      isNew={escalation === null}
      onSubmit={() => void saving.save(missingIn(draft), () => onSubmit(inputOf(draft)))}
      onCancel={onClose}
    >
      <TextField
        label="Name"
        placeholder="For example: production alerts"
        maxLength={100}
        value={draft.name}
        error={faults['name']}
        disabled={busy}
        onChange={(name) => set({ name })}
      />
      <SelectField
        label="For"
        value={draft.intake ?? ELSE}
        error={faults['intake']}
        disabled={busy}
        options={choices.map(({ intake, label }) => ({ value: intake ?? ELSE, label }))}
        onChange={(value) => set({ intake: value === ELSE ? null : value })}
      />
      <PriorityPills
        label="Priorities"
        chosen={draft.priorities}
        error={faults['priorities']}
        disabled={busy}
        onChange={(priorities) => set({ priorities })}
      />
      <Steps
        steps={draft.steps}
        faults={faults}
        disabled={busy}
        mail={mail}
        slack={slack}
        onChange={(steps) => {
          // Objections are at the numbers of steps, which may be others now.
          if (steps.length !== draft.steps.length) saving.forget();
          set({ steps });
        }}
      />
      {escalation === null ? null : (
        <CheckBox
          label="Paused"
          hint="Steps that are due meanwhile are left out."
          checked={draft.paused}
          disabled={busy}
          onChange={(paused) => set({ paused })}
        />
      )}
    </SaveForm>
  );
}

interface StepsProps {
  steps: readonly StepDraft[];
  faults: Faults;
  disabled: boolean;
  mail: boolean;
  slack: readonly SlackPlace[];
  onChange: (steps: readonly StepDraft[]) => void;
}

function Steps({ steps, faults, disabled, mail, slack, onChange }: StepsProps) {
  const { data: webhooks = [] } = useWebhookList();
  const hasDevices = useHasDevices();
  const list = useRef<HTMLOListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState<string | null>(null);
  useEffect(() => {
    if (added !== null) list.current?.lastElementChild?.querySelector('input')?.focus();
  }, [added]);

  function append() {
    const step = stepAfter(steps);
    onChange([...steps, step]);
    setAdded(step.key);
  }
  function remove(key: string) {
    onChange(steps.filter((step) => step.key !== key));
    // The button that was pressed is gone.
    add.current?.focus();
  }

  return (
    <section aria-labelledby="escalation-steps" className="flex flex-col gap-2">
      <div>
        <h3 id="escalation-steps" className="text-14 font-medium">
          Steps
        </h3>
        <p className="mt-0.5 text-13 text-ink-3">
          Each is done once, so many minutes after the task came, unless it was acknowledged by then.
          {mail ? '' : ' Mail is not offered: the operator of this server names no relay for it.'}
        </p>
      </div>
      <ol ref={list} className="flex flex-col gap-2">
        {steps.map((step, index) => (
          <li key={step.key}>
            <StepFields
              step={step}
              index={index}
              faults={faults}
              disabled={disabled}
              mail={mail}
              slack={slack}
              webhooks={webhooks}
              hasDevices={hasDevices}
              onChange={(changes) =>
                onChange(steps.map((each) => (each.key === step.key ? { ...each, ...changes } : each)))
              }
              onRemove={steps.length === 1 ? undefined : () => remove(step.key)}
            />
          </li>
        ))}
      </ol>
      <Button
        ref={add}
        className="self-start"
        aria-disabled={steps.length >= MAX_ESCALATION_STEPS}
        disabled={disabled}
        onClick={() => {
          if (steps.length < MAX_ESCALATION_STEPS) append();
        }}
      >
        <Plus size={17} aria-hidden />
        Add step
      </Button>
      {steps.length >= MAX_ESCALATION_STEPS ? (
        <p className="text-13 text-ink-2">More than {MAX_ESCALATION_STEPS} are not possible.</p>
      ) : null}
    </section>
  );
}
