// The form of a webhook: where it is, what it is told, of which tasks.
import { useState } from 'react';
import type { Intake, SaveWebhook, Webhook } from '#core/contract/index.ts';
import { useIntakeList } from '../../../lib/intake-list.ts';
import { PRIORITIES, PRIORITY_LABEL } from '../../../lib/labels.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Pills } from '../../../ui/pills.tsx';
import { SaveForm, useSave, useUnderWay } from '../../../ui/save-form.tsx';
import { draftOf, EVENTS, faultsOf, inputOf, missingIn, NEW_DRAFT, type Faults } from '../model/draft.ts';

interface WebhookFormProps {
  /** The one that is edited; null for a new one. */
  webhook: Webhook | null;
  onClose: () => void;
  onSubmit: (input: SaveWebhook) => Promise<void>;
}

export function WebhookDialog({ open, ...form }: WebhookFormProps & { open: boolean }) {
  const { webhook, onClose } = form;
  const [busy, onSubmit] = useUnderWay(form.onSubmit);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      busy={busy}
      title={webhook === null ? 'New webhook' : `Edit ${webhook.name}`}
    >
      <WebhookForm {...form} onSubmit={onSubmit} />
    </Dialog>
  );
}

function WebhookForm({ webhook, onClose, onSubmit }: WebhookFormProps) {
  const [draft, setDraft] = useState(() => (webhook === null ? NEW_DRAFT : draftOf(webhook)));
  const saving = useSave<Faults>({ failed: 'Failed to save the webhook', faultsOf });
  const { busy } = saving;
  const faults = saving.failure?.faults ?? {};
  const set = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes });

  return (
    <SaveForm
      saving={saving}
      isNew={webhook === null}
      onSubmit={() => void saving.save(missingIn(draft), () => onSubmit(inputOf(draft)))}
      onCancel={onClose}
    >
      <TextField
        label="Name"
        placeholder="For example: incident bot"
        maxLength={100}
        value={draft.name}
        error={faults.name}
        disabled={busy}
        onChange={(name) => set({ name })}
      />
      <TextField
        label="Address"
        type="url"
        placeholder="https://hooks.example.com/qinbox"
        hint="It gets a POST for each event. An address inside this network works only where the operator allows it."
        value={draft.url}
        error={faults.url}
        disabled={busy}
        autoCapitalize="off"
        spellCheck={false}
        onChange={(url) => set({ url })}
      />
      <Pills
        label="Tell it when a task is"
        error={faults.events}
        disabled={busy}
        options={EVENTS.map(({ event, label }) => ({ value: event, label }))}
        chosen={draft.events}
        onToggle={(event, isOn) => set({ events: toggled(draft.events, event, isOn) })}
      />
      <Pills
        label="Only of these priorities"
        hint="Of all, as long as none is chosen."
        disabled={busy}
        options={PRIORITIES.map((value) => ({ value, label: PRIORITY_LABEL[value] }))}
        chosen={draft.priorities}
        onToggle={(priority, isOn) => set({ priorities: toggled(draft.priorities, priority, isOn) })}
      />
      <IntakeChips chosen={draft.intakes} disabled={busy} onChange={(intakes) => set({ intakes })} />
      <TextField
        label="Only with one of these tags"
        placeholder="ops, billing"
        hint="Separated by commas; empty for all tasks."
        value={draft.tags}
        error={faults.tags}
        disabled={busy}
        autoCapitalize="off"
        onChange={(tags) => set({ tags })}
      />
    </SaveForm>
  );
}

interface IntakeChipsProps {
  chosen: readonly string[];
  disabled: boolean;
  onChange: (intakes: readonly string[]) => void;
}

function IntakeChips({ chosen, disabled, onChange }: IntakeChipsProps) {
  const { data } = useIntakeList();
  if (data === undefined) return null;
  // One that is gone can still be taken out.
  const gone = chosen.filter((id) => !data.some((intake) => intake.id === id));
  const options = [...data.map(named), ...gone.map((value) => ({ value, label: 'An intake that is gone' }))];
  if (options.length === 0) return null;
  return (
    <Pills
      label="Only through these intakes"
      hint="Through any, and what came without one, as long as none is chosen."
      find="Find an intake"
      disabled={disabled}
      options={options}
      chosen={chosen}
      onToggle={(id, isOn) => onChange(toggled(chosen, id, isOn))}
    />
  );
}

const named = ({ id, name }: Intake) => ({ value: id, label: name });

function toggled<T>(chosen: readonly T[], value: T, isOn: boolean): readonly T[] {
  return isOn ? [...chosen, value] : chosen.filter((each) => each !== value);
}
