// Creations whose answer was lost on the way may have been carried out. When the same is asked for again,
// what they made is taken away first, for nobody has its address or secret: pressing the button again makes
// no second one.
import { useState } from 'react';
import { ACCOUNT_CHANGED, ApiError } from './api/api-error.ts';
import { serverClock } from './services.ts';

/** How far the page's estimate of the server's time may be wrong. */
const CLOCK_ERROR_MS = 5000;

interface Made {
  name: string;
  created_at: string;
}

interface Creation<T extends Made, R> {
  name: string;
  create: () => Promise<R>;
  /** Those that are there, from the server. */
  list: () => Promise<readonly T[]>;
  /** Nobody has used or changed it since it was made. */
  isUntouched: (made: T) => boolean;
  remove: (made: T) => Promise<void>;
}

/** The server may have done what it was asked for. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.code !== ACCOUNT_CHANGED && !isRefusal(error);
}

const isRefusal = ({ status }: ApiError): boolean => status >= 400 && status < 500;

/** For one form: it remembers the creation without an answer until the next one has an answer. */
function createOnce() {
  let lost: { name: string; since: number } | null = null;

  return async <T extends Made, R>({
    name,
    create,
    list,
    isUntouched,
    remove,
  }: Creation<T, R>): Promise<R> => {
    if (lost?.name === name) {
      const since = lost.since - CLOCK_ERROR_MS;
      const left = (await list()).filter(
        (made) => made.name === name && Date.parse(made.created_at) >= since && isUntouched(made),
      );
      for (const made of left) await remove(made);
    } else lost = { name, since: serverClock.now() };
    try {
      const answer = await create();
      lost = null;
      return answer;
    } catch (error) {
      if (!isUnanswered(error)) lost = null;
      throw error;
    }
  };
}

export function useCreateOnce(): ReturnType<typeof createOnce> {
  const [once] = useState(createOnce);
  return once;
}
