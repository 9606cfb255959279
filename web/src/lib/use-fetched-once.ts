// What a page fetches once and does not watch, in the cache of the queries. Lighter than `useQuery`, whose
// code the first load of a page would carry for this alone.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';

interface Fetched<T> {
  /** Undefined until it has come. */
  data: T | undefined;
  failed: boolean;
  retry: () => void;
}

/** `fetchOnce` is of the module, not of a render: another function fetches anew. */
export function useFetchedOnce<T>(
  name: string,
  fetchOnce: (context: { signal: AbortSignal }) => Promise<T>,
  enabled = true,
): Fetched<T> {
  const client = useQueryClient();
  const [data, setData] = useState(() => client.getQueryData<T>([name]));
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    if (!enabled) return;
    let isWanted = true;
    async function read() {
      try {
        const fetched = await client.fetchQuery({
          queryKey: [name],
          queryFn: fetchOnce,
          staleTime: Infinity,
        });
        if (!isWanted) return;
        setData(fetched);
        setFailed(false);
      } catch {
        if (isWanted) setFailed(true);
      }
    }
    void read();
    return () => {
      isWanted = false;
    };
  }, [client, name, fetchOnce, enabled, attempt]);
  return { data, failed, retry: useCallback(() => setAttempt((before) => before + 1), []) };
}
