// The fields of one step: when, what, and where to.
import { X } from 'lucide-react';
import { useState } from 'react';
import type { EscalationKind, Webhook } from '#core/contract/index.ts';
import { MAX_EXPIRY_MINUTES, MAX_WEBHOOK_URL_CHARACTERS } from '#core/contract/limits.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/hints.tsx';
import type { Faults, StepDraft } from '../model/draft.ts';
import { KIND_LABEL } from '../model/steps.ts';
import { NoDevices } from './no-devices.tsx';

const KINDS: readonly EscalationKind[] = ['push', 'slack', 'mail', 'webhook'];

interface StepFieldsProps {
  step: StepDraft;
  /** From 0. */
  index: number;
  faults: Faults;
  disabled: boolean;
  /** This server sends mail. */
  mail: boolean;
  webhooks: readonly Webhook[];
  /** Undefined while it is not known. */
  hasDevices: boolean | undefined;
  onChange: (changes: Partial<StepDraft>) => void;
  /** Undefined for the only one. */
  onRemove: (() => void) | undefined;
}

export function StepFields(props: StepFieldsProps) {
  const { step, index, faults, disabled, mail, webhooks, onChange, onRemove } = props;
  const fault = (field: string) => faults[`steps/${index}/${field}`];
  return (
    <fieldset
      disabled={disabled}
      className="flex min-w-0 flex-col gap-3 rounded-md border border-line-1 p-3.5"
    >
      <legend className="sr-only">Step {index + 1}</legend>
      <div className="grid grid-cols-[4.5rem_minmax(0,1fr)_auto] items-start gap-2 sm:gap-3">
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
            onChange({ kind, to: kind === 'webhook' ? (webhooks[0]?.id ?? '') : '' });
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
  const { step, error, mail, webhooks, hasDevices, onChange } = props;
  switch (step.kind) {
    case 'push':
      return hasDevices === false ? <NoDevices /> : null;
    case 'slack':
      return <SlackField step={step} error={error} onChange={onChange} />;
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

interface SlackFieldProps {
  step: StepDraft;
  error: string | undefined;
  onChange: (changes: Partial<StepDraft>) => void;
}

/** The address is a secret: what the server has is not shown, only replaced. */
function SlackField({ step, error, onChange }: SlackFieldProps) {
  const [isReplacing, setIsReplacing] = useState(false);
  if (step.stored !== null && !isReplacing)
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 text-14">
          <span className="block font-medium">Address</span>
          <code className="font-mono text-13 wrap-anywhere text-ink-2">{step.stored}</code>
        </p>
        <Button onClick={() => setIsReplacing(true)}>Replace</Button>
      </div>
    );
  return (
    <TextField
      label="Address"
      type="url"
      placeholder="https://hooks.slack.com/services/…"
      hint={
        step.stored === null
          ? 'Of an incoming webhook of Slack, or of what takes the same. Stored encrypted, and not shown again.'
          : `In the place of ${step.stored}, which stays while this is empty.`
      }
      maxLength={MAX_WEBHOOK_URL_CHARACTERS}
      value={step.to}
      error={error}
      autoCapitalize="off"
      spellCheck={false}
      // The button that opened it is gone.
      ref={isReplacing ? focused : undefined}
      onChange={(to) => onChange({ to })}
    />
  );
}

function focused(field: HTMLElement | null): void {
  field?.focus();
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
