// Single-key shortcuts can be turned off, for example where assistive tools send keys.
import { setPreferences, usePreferences } from '../../../lib/preferences.ts';
import { PALETTE_KEYS } from '../../../lib/commands.ts';
import { CheckBox } from '../../../ui/check-box.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { Card } from '../../../ui/card.tsx';

export function KeyboardCard() {
  const { shortcuts } = usePreferences();
  return (
    <Card title="Keyboard">
      <CheckBox
        label="Single-key shortcuts"
        hint={
          <>
            In the inbox, <Keys keys="?" /> shows them all. <Keys keys={PALETTE_KEYS} /> opens the command
            palette everywhere, also while single keys are off.
          </>
        }
        checked={shortcuts}
        onChange={(next) => setPreferences({ shortcuts: next })}
      />
    </Card>
  );
}
