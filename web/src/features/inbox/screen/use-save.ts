// Saving a form of the inbox: it stays open until the operation is done or stored.
import { useRef } from 'react';
import { ApiError } from '../../../lib/api/api-error.ts';
import { placeholderId, type Operation } from '../../../lib/outbox/entry.ts';
import type { Outbox } from '../../../lib/outbox/outbox.ts';
import type { NewRows } from '../model/new-rows.ts';

/** Resolves with the id of the outbox's entry. Rejects with what to show in the form. */
export function useSave(outbox: Outbox, newRows: NewRows) {
  const unsaved = useRef<{ text: string; id: string } | null>(null);
  return async (operation: Operation): Promise<string> => {
    const text = JSON.stringify(operation);
    // The same operation again, after an answer that never came, has the same id: the server does it once.
    const { entry, outcome } = outbox.add(
      operation,
      unsaved.current?.text === text ? unsaved.current.id : undefined,
    );
    newRows.include(placeholderId(entry.id));
    const result = await outcome;
    unsaved.current = null;
    if (result.kind === 'refused') throw result.error;
    if (result.kind === 'answered' || result.stored) return entry.id;
    unsaved.current = { text, id: entry.id };
    const { blocked } = outbox.getSnapshot();
    await outbox.discard(entry.id);
    throw blocked?.reason === 'offline'
      ? new ApiError('You are offline. Keep this open, and save it when you are back.', 'OFFLINE', 0)
      : new ApiError(
          'Qinbox does not answer. Keep this open, and save it again in a moment.',
          'NO_ANSWER',
          0,
        );
  };
}
