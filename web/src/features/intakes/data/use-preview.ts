// The preview of a payload, fetched a moment after typing. An answer to an older text is not shown.
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { IntakeMapping, PreviewInput } from '#core/contract/index.ts';
import { ApiError } from '../../../lib/api/api-error.ts';
import { useQuery } from '../../../lib/queries.ts';
import { api } from '../../../lib/services.ts';

const TYPING_MS = 400;
/** Where the server could not answer, and did not say when it can. */
const AGAIN_MS = 5000;

/** The payload to read: the last delivery or a sample, one that is named, or one that was pasted. */
export type Subject =
  | { kind: 'latest' }
  | { kind: 'delivery'; id: string }
  | { kind: 'pasted'; text: string };

export function usePreview(
  intakeId: string,
  preset: string | null,
  mapping: IntakeMapping | null,
  subject: Subject,
) {
  const input: PreviewInput = { preset, mapping, ...subjectInput(subject) };
  const asked = useDebounced(JSON.stringify(input));
  return useQuery({
    queryKey: ['intakes', 'preview', intakeId, asked],
    queryFn: async ({ signal }) =>
      (
        await api('POST /intakes/:id/preview', {
          params: { id: intakeId },
          body: JSON.parse(asked) as PreviewInput,
          signal,
        })
      ).preview,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    refetchInterval: ({ state: { error } }) =>
      error instanceof ApiError && error.temporary ? (error.retryAfterMs ?? AGAIN_MS) : false,
    refetchOnWindowFocus: false,
  });
}

function subjectInput(subject: Subject): PreviewInput {
  if (subject.kind === 'delivery') return { deliveryId: subject.id };
  if (subject.kind === 'latest' || subject.text.trim() === '') return {};
  try {
    return { payload: JSON.parse(subject.text) as unknown };
  } catch {
    return { payload: subject.text, contentType: 'text/plain' };
  }
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    if (text === debounced) return;
    const timer = setTimeout(() => setDebounced(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, debounced]);
  return debounced;
}
