// Notifications of high priority tasks. The browser asks for permission only after a click here.
import { useState } from 'react';
import { setPreferences, usePreferences } from '../../../lib/preferences.ts';
import { CheckBox } from '../../../ui/check-box.tsx';
import { Card } from '../../../ui/card.tsx';

export function NotificationsCard() {
  const { notifications, sound } = usePreferences();
  const [refused, setRefused] = useState(false);
  const possible = 'Notification' in globalThis;
  // Leave may have been taken back in the browser's own settings since.
  const granted = possible && Notification.permission === 'granted';
  const on = notifications && granted;

  async function turn(next: boolean) {
    const leave = next && possible ? await Notification.requestPermission() : 'denied';
    setRefused(next && leave !== 'granted');
    setPreferences({ notifications: next && leave === 'granted' });
  }

  return (
    <Card title="Notifications">
      <div className="flex flex-col gap-4">
        <CheckBox
          label="Tell me of high priority items"
          hint={
            possible
              ? 'While Qinbox is open in a tab that you are not looking at. The tab’s title always shows how many there are.'
              : 'This browser has no notifications. The tab’s title shows how many high priority items there are.'
          }
          checked={on}
          disabled={!possible}
          onChange={(next) => void turn(next)}
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
          disabled={!on}
          onChange={(next) => setPreferences({ sound: next })}
        />
      </div>
    </Card>
  );
}
