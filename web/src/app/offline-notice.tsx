// Says that there is no network, for as long as there is none. What the browser has kept of the app still opens then. An
// inbox of one's own says it itself, and from when it is.
import { CloudOff } from 'lucide-react';
import { useLocation } from 'wouter';
import { useOnline } from '../lib/online.ts';
import { useSession } from '../lib/session/use-session.ts';

/** `waiting`: how many changes have not been sent. */
export function OfflineNotice({ waiting }: { waiting: number }) {
  const online = useOnline();
  const [path] = useLocation();
  const { authenticated } = useSession();
  return (
    <div
      role="status"
      className="pointer-events-none fixed bottom-4 left-4 z-20 max-w-[calc(100%-6.5rem)] sm:max-w-none"
    >
      {online || (path === '/inbox' && authenticated) ? null : (
        <p className="flex items-center gap-2.5 rounded-md border border-line-1 bg-surface-1 px-3.5 py-2.5 text-14 shadow-2">
          <CloudOff size={17} aria-hidden className="shrink-0 text-warn" />
          <span>
            You are offline. Tasks come back with the connection.
            {waiting === 0
              ? null
              : ` ${waiting === 1 ? '1 change waits' : `${waiting} changes wait`} for it, too.`}
          </span>
        </p>
      )}
    </div>
  );
}
