// Where a step to Slack goes: to an own account or channel by the connected app, or to an incoming webhook.
import { useState } from 'react';
import { MAX_WEBHOOK_URL_CHARACTERS } from '#core/contract/limits.ts';
import { Button } from '../../../ui/button.tsx';
import { Code } from '../../../ui/code.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { useHasSlackApp, type SlackPlace } from '../data/escalations.ts';
import { slackPlaceOf, type StepDraft } from '../model/draft.ts';

interface SlackFieldsProps {
  step: StepDraft;
  places: readonly SlackPlace[];
  error: string | undefined;
  onChange: (changes: Partial<StepDraft>) => void;
}

/** The choice of an incoming webhook, which no id is. */
const WEBHOOK = '';

export function SlackFields({ step, places, error, onChange }: SlackFieldsProps) {
  const place = slackPlaceOf(step, places);
  if (places.length === 0 && place === null)
    return (
      <>
        <Address step={step} error={error} onChange={onChange} />
        <LinkHint />
      </>
    );
  const isGone = place !== null && places.every(({ id }) => id !== place);
  return (
    <>
      <SelectField
        label="To"
        value={place ?? WEBHOOK}
        error={place === null ? undefined : error}
        options={[
          ...places.map(({ id, name }) => ({ value: id, label: name })),
          ...(isGone ? [{ value: place, label: 'An account or channel that is gone' }] : []),
          { value: WEBHOOK, label: 'An incoming webhook' },
        ]}
        // What the server has is left out of the form once it is another kind.
        onChange={(to) => onChange(to === WEBHOOK && place === step.stored ? { to, stored: null } : { to })}
      />
      {place === null ? <Address step={step} error={error} onChange={onChange} /> : null}
    </>
  );
}

/** The app needs no address, and its messages have buttons. */
function LinkHint() {
  if (useHasSlackApp() !== true) return null;
  return (
    <p className="text-13 text-ink-2">
      Or link your account in Settings, Slack: then the app can write to you, with buttons.
    </p>
  );
}

/** The address is a secret: what the server has is not shown, only replaced. */
function Address({ step, error, onChange }: Omit<SlackFieldsProps, 'places'>) {
  const [isReplacing, setIsReplacing] = useState(false);
  if (step.stored !== null && !isReplacing)
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 text-14">
          <span className="block font-medium">Address</span>
          <Code className="text-13 wrap-anywhere text-ink-2">{step.stored}</Code>
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
