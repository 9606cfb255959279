// Single keys can be turned off by those whose tools send keys by themselves.
import { useId } from 'react';
import { setPreferences, usePreferences } from '../../lib/preferences.ts';
import { Keys } from '../../ui/keys.tsx';
import { Card } from './card.tsx';

export function KeyboardCard() {
  const { shortcuts } = usePreferences();
  const id = useId();
  return (
    <Card title="Keyboard">
      <div className="flex items-start gap-3">
        <input
          id={id}
          type="checkbox"
          checked={shortcuts}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setPreferences({ shortcuts: event.target.checked })}
          className="mt-0.5 size-4.5 shrink-0 accent-accent"
        />
        <div>
          <label htmlFor={id} className="block text-14 font-medium">
            Single-key shortcuts
          </label>
          <p id={`${id}-hint`} className="mt-0.5 text-14 text-ink-2">
            In the inbox, <Keys keys="?" /> shows them all.
          </p>
        </div>
      </div>
    </Card>
  );
}
