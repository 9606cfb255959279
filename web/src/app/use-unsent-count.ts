// Runs the outbox on every page of a signed-in person, and counts its unsent changes.
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Outbox } from '../lib/outbox/outbox.ts';
import { useSession } from '../lib/session/use-session.ts';

const never = () => () => undefined;

export function useUnsentCount(): number {
  const { authenticated } = useSession();
  const [outbox, setOutbox] = useState<Outbox | null>(null);
  useEffect(() => {
    if (!authenticated) return;
    import('../lib/outbox/service.ts').then(
      (service) => setOutbox(service.outbox),
      () => undefined,
    );
  }, [authenticated]);
  return useSyncExternalStore(outbox?.subscribe ?? never, () =>
    outbox === null ? 0 : outbox.getSnapshot().entries.filter(({ refusal }) => refusal === null).length,
  );
}
