// Keeps the live socket open while someone is signed in, through changes of the network, the tab and the
// session.
import { useEffect } from 'react';
import { live, session } from '../lib/services.ts';
import { useSession } from '../lib/session/use-session.ts';

export function useLiveConnection(): void {
  const { method, user } = useSession();
  const who = method === 'none' ? null : `${method}:${user?.id ?? ''}`;

  useEffect(() => {
    if (who === null) return;
    live.start();
    const online = () => live.networkBack();
    const visibility = () => (document.hidden ? live.tabHidden() : live.tabVisible());
    window.addEventListener('online', online);
    document.addEventListener('visibilitychange', visibility);
    return () => {
      window.removeEventListener('online', online);
      document.removeEventListener('visibilitychange', visibility);
      live.stop();
    };
  }, [who]);

  useEffect(() => {
    const onStorage = () => session.reload();
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, []);
}
