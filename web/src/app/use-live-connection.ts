// Keeps the live socket open while someone is signed in, through changes of network, tab and session.
import { useEffect } from 'react';
import { listen } from '../lib/listen.ts';
import { live, session } from '../lib/services.ts';
import { useSession } from '../lib/session/use-session.ts';

export function useLiveConnection(): void {
  const { method, user } = useSession();
  const who = method === 'none' ? null : `${method}:${user?.id ?? ''}`;

  useEffect(() => {
    if (who === null) return;
    // In a step of its own: what is drawn first is not drawn again at once because of it.
    const timer = setTimeout(() => live.start());
    const stops = [
      () => clearTimeout(timer),
      listen(window, { online: () => live.networkBack() }),
      listen(document, { visibilitychange: () => (document.hidden ? live.tabHidden() : live.tabVisible()) }),
      () => live.stop(),
    ];
    return () => stops.forEach((stop) => stop());
  }, [who]);

  useEffect(() => listen(window, { storage: () => session.reload() }), []);
}
