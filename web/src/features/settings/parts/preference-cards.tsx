// The cards of what is stored in this browser: theme and rows, notifications, single keys.
import { Monitor, Moon, Sun } from 'lucide-react';
import { PALETTE_KEYS } from '../../../lib/palette-commands.ts';
import { useNotificationPermission } from '../../../lib/notification-permission.ts';
import { setPreferences, usePreferences } from '../../../lib/preferences.ts';
import { Card } from '../../../ui/card.tsx';
import { CheckBox } from '../../../ui/check-box.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Keys } from '../../../ui/keys.tsx';

export function AppearanceCard() {
  const { theme, density } = usePreferences();
  return (
    <Card bare title="Appearance">
      <div className="grid gap-5 sm:max-w-[26rem]">
        <Choice
          label="Theme"
          value={theme}
          onChange={(next) => setPreferences({ theme: next })}
          options={[
            { value: 'system', label: 'System', icon: <Monitor size={16} aria-hidden /> },
            { value: 'light', label: 'Light', icon: <Sun size={16} aria-hidden /> },
            { value: 'dark', label: 'Dark', icon: <Moon size={16} aria-hidden /> },
          ]}
        />
        <Choice
          label="Rows"
          value={density}
          onChange={(next) => setPreferences({ density: next })}
          options={[
            { value: 'comfortable', label: 'Comfortable' },
            { value: 'compact', label: 'Compact' },
          ]}
        />
      </div>
    </Card>
  );
}

/**
 * Of high priority tasks. The browser asks for permission only after a click here. `isPushed`: pushes tell of
 * them, so that nobody is told twice.
 */
export function NotificationsCard({ isPushed }: { isPushed: boolean }) {
  const { sound } = usePreferences();
  const { possible, insecure, on, refused, ask } = useNotificationPermission();

  return (
    <Card title="In an open tab">
      <div className="flex flex-col gap-4">
        {isPushed ? (
          <p className="text-14 text-ink-2">
            Push is on for this device and tells you, so a tab does not do it a second time.
          </p>
        ) : null}
        <CheckBox
          label="Tell me of high priority items"
          hint={
            possible
              ? 'While Qinbox is open in a tab that you are not looking at. The tab’s title always shows how many there are.'
              : `${insecure ? 'Browsers show notifications only of an https address, or of localhost: open Qinbox at one of these.' : 'This browser has no notifications.'} The tab’s title shows how many high priority items there are.`
          }
          checked={on}
          disabled={!possible || isPushed}
          onChange={(next) => (next ? void ask() : setPreferences({ notifications: false }))}
        />
        {refused ? (
          <p role="alert" className="rounded-md bg-warn-soft px-3.5 py-2.5 text-14">
            The browser does not allow notifications from this address. Its settings for this site can change
            that.
          </p>
        ) : null}
        <CheckBox
          label="With a short sound"
          checked={sound && on}
          disabled={!on || isPushed}
          onChange={(next) => setPreferences({ sound: next })}
        />
      </div>
    </Card>
  );
}

/** Single keys can be turned off, for example where assistive tools send keys. */
export function KeyboardCard() {
  const { shortcuts } = usePreferences();
  return (
    <Card bare title="Keyboard">
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
