// Whether the server cannot be reached because there is no network: then the last list stays on the screen. A
// server on this machine needs no network, so it is asked.
import { useEffect, useState } from 'react';
import { ApiError } from '../../../lib/api/api-error.ts';
import { useOnline } from '../../../lib/online.ts';

/** `refetch` must stay the same function. `local`: the server is on this machine. */
export function useUnreachable(refetch: () => Promise<{ error: unknown }>, local: boolean): boolean {
  const online = useOnline();
  const [away, setAway] = useState(!online && !local);

  useEffect(() => {
    let current = true;
    async function look() {
      const { error } = await refetch();
      if (current) setAway(!online && error instanceof ApiError && error.status === 0);
    }
    if (!online && !local) setAway(true);
    // Nothing was lost, nothing has to be looked for.
    if (!online || away) void look();
    return () => {
      current = false;
    };
    // Only when the network comes or goes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [online, local, refetch]);

  return away;
}
