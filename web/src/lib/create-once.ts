// Creations whose answer was lost on the way may have been carried out. When the same is asked for again,
// what they made is taken away first, for nobody has its address or secret: pressing the button again makes
// no second one.
import { useState } from 'react';
import { ACCOUNT_CHANGED, ApiError } from './api/api-error.ts';
import { serverClock } from './services.ts';

/** How far the page's estimate of the server's time may be wrong. */
const CLOCK_ERROR_MS = 5000;

interface Made {
  id: string;
  name: string;
  created_at: string;
  /** For what can be changed, and for what can be used. */
  updated_at?: string;
  last_used_at?: string | null;
}

interface Creation<R> {
  name: string;
  create: () => Promise<R>;
  /** Those that are there, from the server. */
  list: () => Promise<readonly Made[]>;
  remove: (id: string) => Promise<void>;
}

/** The server may have done what it was asked for. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.code !== ACCOUNT_CHANGED && !isRefusal(error);
}

const isRefusal = ({ status }: ApiError): boolean => status >= 400 && status < 500;

/** For one form: it remembers the creation without an answer until the next one has an answer. */
function createOnce() {
  let lost: { name: string; since: number } | null = null;

  return async <R>({ name, create, list, remove }: Creation<R>): Promise<R> => {
    if (lost?.name === name) {
      const since = lost.since - CLOCK_ERROR_MS;
      const left = (await list()).filter(
        (made) => made.name === name && Date.parse(made.created_at) >= since && isUntouched(made),
      );
      for (const { id } of left) await remove(id);
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

/** Nobody has changed or used it since it was made. */
function isUntouched({ created_at, updated_at = created_at, last_used_at = null }: Made): boolean {
  return updated_at === created_at && last_used_at === null;
}

export function useCreateOnce(): ReturnType<typeof createOnce> {
  const [once] = useState(createOnce);
  return once;
}
