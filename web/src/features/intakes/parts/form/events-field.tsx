// The event types that an intake takes; none means all. Types of the preset can be ticked, others written.
import { useId, useState } from 'react';
import { formatTags, parseTags } from '../../../../lib/tags.ts';
import { Pill } from '../../../../ui/pills.tsx';
import { TextField } from '../../../../ui/field.tsx';

interface EventsFieldProps {
  known: readonly string[];
  chosen: readonly string[];
  onChange: (events: readonly string[]) => void;
  error: string | undefined;
  disabled: boolean;
}

export function EventsField({ known, chosen, onChange, error, disabled }: EventsFieldProps) {
  const id = useId();
  const [others, setOthers] = useState(() => formatTags(chosen.filter((event) => !known.includes(event))));
  const ticked = chosen.filter((event) => known.includes(event));

  function change(nextTicked: readonly string[], nextOthers: string) {
    onChange([...nextTicked, ...parseTags(nextOthers).filter((event) => !known.includes(event))]);
  }

  return (
    <div className="flex flex-col gap-4">
      {known.length === 0 ? null : (
        <fieldset disabled={disabled} aria-describedby={`${id}-hint`} className="min-w-0">
          <legend className="text-14 font-medium">Events to take</legend>
          <p id={`${id}-hint`} className="mt-0.5 mb-2 text-13 text-ink-3">
            {chosen.length === 0
              ? 'All of them, as long as none is chosen.'
              : 'Only those that are chosen; a type takes its kinds along.'}
          </p>
          <div className="flex flex-wrap gap-1.5">
            {known.map((event) => (
              <Pill
                key={event}
                mono
                checked={ticked.includes(event)}
                onChange={(checked) =>
                  change(checked ? [...ticked, event] : ticked.filter((each) => each !== event), others)
                }
              >
                {event}
              </Pill>
            ))}
          </div>
        </fieldset>
      )}
      <TextField
        label={known.length === 0 ? 'Events to take' : 'Other events to take'}
        hint={
          known.length === 0
            ? 'Separated by commas; empty for all. Each delivery says which event it was.'
            : 'Separated by commas, as the sender calls them.'
        }
        error={error}
        value={others}
        disabled={disabled}
        autoCapitalize="off"
        spellCheck={false}
        onChange={(text) => {
          setOthers(text);
          change(ticked, text);
        }}
      />
    </div>
  );
}
