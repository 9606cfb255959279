// The fields of one step: when, what, and where to.
import { X } from 'lucide-react';
import type { EscalationKind, Webhook } from '#core/contract/index.ts';
import { MAX_EXPIRY_MINUTES } from '#core/contract/limits.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/hints.tsx';
import type { SlackPlace } from '../data/escalations.ts';
import type { Faults, StepDraft } from '../model/draft.ts';
import { KIND_LABEL } from '../model/steps.ts';
import { NoDevices } from './no-devices.tsx';
import { SlackFields } from './slack-fields.tsx';

const KINDS: readonly EscalationKind[] = ['push', 'slack', 'mail', 'webhook'];

interface StepFieldsProps {
  step: StepDraft;
  /** From 0. */
  index: number;
  faults: Faults;
  disabled: boolean;
  /** This server sends mail. */
  mail: boolean;
  /** Where the connected app may write. */
  slack: readonly SlackPlace[];
  webhooks: readonly Webhook[];
  /** Undefined while it is not known. */
  hasDevices: boolean | undefined;
  onChange: (changes: Partial<StepDraft>) => void;
  /** Undefined for the only one. */
  onRemove: (() => void) | undefined;
}

export function StepFields(props: StepFieldsProps) {
  const { step, index, faults, disabled, mail, slack, webhooks, onChange, onRemove } = props;
  const fault = (field: string) => faults[`steps/${index}/${field}`];
  return (
    <fieldset
      disabled={disabled}
      className="flex min-w-0 flex-col gap-3 rounded-md border border-line-1 p-3.5"
    >
      <legend className="sr-only">Step {index + 1}</legend>
      <div
        className={`grid items-start gap-2 sm:gap-3 ${onRemove === undefined ? 'grid-cols-[4.5rem_minmax(0,1fr)]' : 'grid-cols-[4.5rem_minmax(0,1fr)_auto]'}`}
      >
        <TextField
          label="Minutes"
          inputMode="numeric"
          maxLength={String(MAX_EXPIRY_MINUTES).length}
          value={step.minutes}
          error={fault('afterMinutes')}
          onChange={(minutes) => onChange({ minutes: minutes.trim() })}
        />
        <SelectField
          label="Then"
          value={step.kind}
          error={fault('kind')}
          options={KINDS.filter((kind) => kind !== 'mail' || mail || step.kind === 'mail').map((value) => ({
            value,
            label: KIND_LABEL[value],
          }))}
          onChange={(value) => {
            const kind = KINDS.find((each) => each === value) ?? 'push';
            const first = kind === 'webhook' ? webhooks[0] : kind === 'slack' ? slack[0] : undefined;
            onChange({ kind, to: first?.id ?? '' });
          }}
        />
        {onRemove === undefined ? null : (
          <IconButton
            label={`Remove step ${index + 1}`}
            disabled={disabled}
            onClick={onRemove}
            className="mt-7 touch:size-11"
          >
            <X size={17} aria-hidden />
          </IconButton>
        )}
      </div>
      <WhereTo {...props} error={fault('to')} />
    </fieldset>
  );
}

function WhereTo(props: StepFieldsProps & { error: string | undefined }) {
  const { step, error, mail, slack, webhooks, hasDevices, onChange } = props;
  switch (step.kind) {
    case 'push':
      return hasDevices === false ? <NoDevices /> : null;
    case 'slack':
      return <SlackFields step={step} places={slack} error={error} onChange={onChange} />;
    case 'mail':
      return (
        <TextField
          label="To"
          type="email"
          placeholder="oncall@example.com"
          hint={
            mail
              ? 'The address of a user of this server, or one that its operator allows.'
              : 'This server sends no mail any more: its operator names no relay.'
          }
          value={step.to}
          error={error}
          autoCapitalize="off"
          spellCheck={false}
          onChange={(to) => onChange({ to })}
        />
      );
    case 'webhook':
      return (
        <WebhookField to={step.to} webhooks={webhooks} error={error} onChange={(to) => onChange({ to })} />
      );
  }
}

interface WebhookFieldProps {
  to: string;
  webhooks: readonly Webhook[];
  error: string | undefined;
  onChange: (to: string) => void;
}

function WebhookField({ to, webhooks, error, onChange }: WebhookFieldProps) {
  const isGone = to !== '' && webhooks.every(({ id }) => id !== to);
  const isNone = webhooks.length === 0 && !isGone;
  return (
    <SelectField
      label="Which"
      value={to}
      error={error}
      hint={isNone ? 'You have no webhook yet: add one in Settings, Webhooks.' : undefined}
      options={[
        ...(isNone ? [{ value: '', label: 'None yet' }] : []),
        ...(isGone ? [{ value: to, label: 'A webhook that is gone' }] : []),
        ...webhooks.map(({ id, name, paused, off }) => ({
          value: id,
          label: off !== null ? `${name} (switched off)` : paused ? `${name} (paused)` : name,
        })),
      ]}
      onChange={onChange}
    />
  );
}
