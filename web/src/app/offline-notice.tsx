// Says that there is no network. The inbox of a signed-in person says it itself.
import { CloudOff } from 'lucide-react';
import { useLocation } from 'wouter';
import { useOnline } from '../lib/online.ts';
import { plural } from '../lib/text.ts';
import { useSession } from '../lib/session/use-session.ts';

/** `unsent`: the number of changes that have not been sent. */
export function OfflineNotice({ unsent }: { unsent: number }) {
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
            {unsent === 0
              ? null
              : ` ${plural(unsent, 'change')} ${unsent === 1 ? 'waits' : 'wait'} for it, too.`}
          </span>
        </p>
      )}
    </div>
  );
}
