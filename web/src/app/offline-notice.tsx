// Says that there is no network, for as long as there is none. What the browser has kept of the app still opens then.
import { CloudOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export function OfflineNotice() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div
      role="status"
      className="pointer-events-none fixed bottom-4 left-4 z-20 max-w-[calc(100%-6.5rem)] sm:max-w-none"
    >
      {online ? null : (
        <p className="flex items-center gap-2.5 rounded-md border border-line-1 bg-surface-1 px-3.5 py-2.5 text-14 shadow-2">
          <CloudOff size={17} aria-hidden className="shrink-0 text-warn" />
          You are offline. Tasks come back with the connection.
        </p>
      )}
    </div>
  );
}
