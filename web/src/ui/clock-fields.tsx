// Fields of a time of day and of the zone whose clocks show it.
import { useState } from 'react';
import { ownZone } from '#core/domain/snooze-times.ts';
import { zonesWith } from '../lib/time-zones.ts';
import { SelectField, TextField } from './field.tsx';

interface TimeFieldProps {
  label: string;
  time: string;
  hint?: string | undefined;
  /** Why a time is not taken. */
  refusal?: (time: string) => string | undefined;
  onChange: (time: string) => void;
}

/**
 * Changed when it is left, or by Enter: while it is typed it passes through times that nobody means. Give it
 * the time as its key.
 */
export function TimeField({ label, time, hint, refusal = () => undefined, onChange }: TimeFieldProps) {
  const [text, setText] = useState(time);
  const [error, setError] = useState<string>();

  function save() {
    const reason = text === '' ? 'Give a time.' : text === time ? undefined : refusal(text);
    setError(reason);
    if (reason === undefined && text !== time) onChange(text);
  }

  return (
    <TextField
      type="time"
      required
      label={label}
      hint={hint}
      error={error}
      value={text}
      onChange={(value) => setText(value.slice(0, 5))}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save();
      }}
    />
  );
}

interface ZoneFieldProps {
  zone: string;
  onChange: (zone: string) => void;
}

export function ZoneField({ zone, onChange }: ZoneFieldProps) {
  const own = ownZone();
  return (
    <SelectField
      label="Time zone"
      value={zone}
      options={zonesWith(own, zone).map((value) => ({
        value,
        label: value === own ? `${readable(value)} (here)` : readable(value),
      }))}
      onChange={onChange}
    />
  );
}

function readable(zone: string): string {
  return zone.replaceAll('_', ' ');
}
