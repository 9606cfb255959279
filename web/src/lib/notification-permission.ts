// Whether this browser shows notifications of high priority tasks, and asking it for that.
import { useState } from 'react';
import { setPreferences, usePreferences } from './preferences.ts';

export function useNotificationPermission() {
  const { notifications } = usePreferences();
  const [refused, setRefused] = useState(false);
  // Browsers have them at an address without https as well, and refuse each one there.
  const insecure = !globalThis.isSecureContext;
  const possible = !insecure && 'Notification' in globalThis;

  return {
    /** The browser has notifications at all, at this address. */
    possible,
    /** The address is in the way: neither https nor localhost. */
    insecure,
    /** They are wanted, and the browser's own settings have not taken them back since. */
    on: notifications && possible && Notification.permission === 'granted',
    /** The browser said no a moment ago. */
    refused,
    /** To be called from a click only. Resolves with whether they are on now. */
    ask: async () => {
      const granted = possible && (await Notification.requestPermission()) === 'granted';
      setRefused(!granted);
      setPreferences({ notifications: granted });
      return granted;
    },
  };
}
