// Says in a word whether changes arrive by themselves.
import { useSyncExternalStore } from 'react';
import { SERVER_IS_LOCAL, useOnline } from '../lib/online.ts';
import { live } from '../lib/services.ts';
import { useSession } from '../lib/session/use-session.ts';

const WORDS = {
  connecting: { label: 'Connecting', dot: 'bg-ink-3 breathe', hint: 'Opening the live connection' },
  live: { label: 'Live', dot: 'bg-ok', hint: 'Changes arrive as they happen' },
  reconnecting: {
    label: 'Reconnecting',
    dot: 'bg-warn breathe',
    hint: 'The connection was lost; trying again',
  },
  polling: {
    label: 'Polling',
    dot: 'bg-ink-3',
    hint: 'No live connection: the list is refreshed every 30 seconds',
  },
  offline: { label: 'Offline', dot: 'bg-warn', hint: 'No network: what you see is from before' },
};

export function LiveChip() {
  const state = useSyncExternalStore(live.subscribe, live.getState);
  const obstacle = useSyncExternalStore(live.subscribe, live.getObstacle);
  const online = useOnline();
  const { method } = useSession();
  if (method === 'none') return null;
  // It connects in a moment: its place is reserved from the first paint on.
  const now = state === 'off' ? 'connecting' : state;
  // A socket may look alive for a while after its network has gone.
  const shown = online || SERVER_IS_LOCAL ? now : 'offline';
  const { label, dot, hint } = WORDS[shown];
  const why = shown === 'polling' && obstacle !== null ? `. ${obstacle}` : '';
  return (
    <span
      role="status"
      data-hint={hint + why}
      className="inline-flex h-7 items-center gap-2 rounded-full px-2.5 text-13 text-ink-2"
    >
      <span className={`size-2 rounded-full forced-color-adjust-none ${dot}`} aria-hidden />
      <span className="max-sm:sr-only">{label}</span>
    </span>
  );
}
