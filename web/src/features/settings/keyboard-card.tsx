// Single keys can be turned off by those whose tools send keys by themselves.
import { setPreferences, usePreferences } from '../../lib/preferences.ts';
import { Keys } from '../../ui/keys.tsx';
import { Card } from './card.tsx';

export function KeyboardCard() {
  const { shortcuts } = usePreferences();
  return (
    <Card title="Keyboard">
      <label className="flex items-start gap-3">
        <input
          type="checkbox"
          checked={shortcuts}
          onChange={(event) => setPreferences({ shortcuts: event.target.checked })}
          className="mt-0.5 size-4.5 shrink-0 accent-accent"
        />
        <span>
          <span className="block text-14 font-medium">Single-key shortcuts</span>
          <span className="mt-0.5 block text-14 text-ink-2">
            In the inbox, <Keys keys="?" /> shows them all.
          </span>
        </span>
      </label>
    </Card>
  );
}
