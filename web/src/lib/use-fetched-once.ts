// What a page fetches once and does not watch. Lighter than a query, whose code the first load of a page
// would carry for this alone.
import { useCallback, useEffect, useState } from 'react';

interface Fetched<T> {
  /** Undefined until it has come. */
  data: T | undefined;
  failed: boolean;
  retry: () => void;
}

type FetchOnce = () => Promise<unknown>;

const answers = new Map<FetchOnce, unknown>();
const onTheirWay = new Map<FetchOnce, Promise<unknown>>();

/** Everything is fetched anew. */
export function dropFetched(): void {
  answers.clear();
  onTheirWay.clear();
}

/** `fetchOnce` is of the module, not of a render: another function fetches anew. Failures are not stored. */
export function useFetchedOnce<T>(fetchOnce: () => Promise<T>, enabled = true): Fetched<T> {
  const [data, setData] = useState(() => answers.get(fetchOnce) as T | undefined);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    if (!enabled) return;
    let isWanted = true;
    async function read() {
      try {
        const fetched = await fetchShared(fetchOnce);
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
  }, [fetchOnce, enabled, attempt]);
  return { data, failed, retry: useCallback(() => setAttempt((before) => before + 1), []) };
}

async function fetchShared<T>(fetchOnce: () => Promise<T>): Promise<T> {
  if (answers.has(fetchOnce)) return answers.get(fetchOnce) as T;
  const answer = (onTheirWay.get(fetchOnce) as Promise<T> | undefined) ?? fetchOnce();
  onTheirWay.set(fetchOnce, answer);
  try {
    const fetched = await answer;
    answers.set(fetchOnce, fetched);
    return fetched;
  } finally {
    onTheirWay.delete(fetchOnce);
  }
}
