// In a browser that gets pushes: renews what was lost, does what was pressed on a notification, and answers
// the service worker. Its code is loaded only then.
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { listen } from '../lib/listen.ts';
import { storedPushEntry } from '../lib/push/entry.ts';
import { useSession } from '../lib/session/use-session.ts';

export function usePush(): void {
  const { authenticated } = useSession();
  const [, navigate] = useLocation();

  useEffect(() => {
    if (!authenticated || storedPushEntry() === null) return;
    import('../lib/push/start.ts').then(
      ({ startPush }) => startPush(),
      () => undefined,
    );
  }, [authenticated]);

  useEffect(() => {
    if (!('serviceWorker' in navigator)) return;
    return listen(navigator.serviceWorker as EventTarget, {
      message: (event) => void answer(event as MessageEvent, navigate),
    });
  }, [navigate]);
}

async function answer({ data, ports }: MessageEvent, go: (path: string) => void): Promise<void> {
  const { onWorkerMessage } = await import('../lib/push/worker-messages.ts');
  ports[0]?.postMessage(await onWorkerMessage(data, go).catch(() => false));
}
