// Notifies of a new high priority task while the tab is hidden, if the person and the browser allow it, and
// no push does.
import { useEffect } from 'react';
import { getPreferences } from '../lib/preferences.ts';
import { storedPushEntry } from '../lib/push/entry.ts';
import { subscribeLive } from '../lib/services.ts';

export function useNotifications(): void {
  useEffect(() => {
    // No page waits for it, and it is there before anybody hides the tab.
    const loaded = import('./task-notification.ts');
    loaded.catch(() => undefined);
    return subscribeLive((event) => {
      if (event.type !== 'task.created' || event.task.priority !== 'high' || !document.hidden) return;
      const { notifications, sound } = getPreferences();
      if (
        !notifications ||
        storedPushEntry() !== null ||
        !('Notification' in globalThis) ||
        Notification.permission !== 'granted'
      )
        return;
      const { task } = event;
      void loaded.then(
        ({ notifyOf }) => notifyOf(task, sound),
        () => undefined,
      );
    });
  }, []);
}
