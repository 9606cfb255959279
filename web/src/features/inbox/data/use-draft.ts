// The fields of Add and Edit, stored as a draft at every change until they are saved or discarded.
import { useState } from 'react';
import type { Task } from '#core/contract/index.ts';
import { NEW_ITEM, type DraftFields } from '../../../lib/drafts.ts';
import { drafts } from '../../../lib/services.ts';
import { parseTime } from '../../../lib/time.ts';
import { fieldsOf, follow, isDirty, replacesNewer, type Form } from '../model/task-form.ts';

/** `task` as it is now, also while the form is open; null for a new one. */
export function useDraft(task: Task | null) {
  const item = task?.id ?? NEW_ITEM;
  const now = fieldsOf(task);
  const [draft, setDraft] = useState(() => drafts.get(item));
  const [typed, setTyped] = useState<Form>(draft ?? { fields: now, base: now });
  const form = follow(typed, now);

  return {
    fields: form.fields,
    set: (changes: Partial<DraftFields>) => {
      const next = { ...form, fields: { ...form.fields, ...changes } };
      setTyped(next);
      store(task, next);
    },
    /** When the draft was stored; null while the form shows the task as it is. */
    savedAt: draft?.savedAt ?? null,
    /** The task's present values, where saving would replace another person's change. */
    newer: replacesNewer(form, now) ? now : null,
    /** Back to the task's values. */
    discard: () => {
      drafts.discard(item);
      setDraft(null);
      setTyped({ fields: now, base: now });
    },
    /** Removes the draft, after saving. */
    clear: () => drafts.discard(item),
  };
}

/** Stores text that was typed before the form was there, after the text of the task. */
export function storeTyped(task: Task | null, text: string): void {
  const now = fieldsOf(task);
  const { fields, base } = drafts.get(task?.id ?? NEW_ITEM) ?? { fields: now, base: now };
  store(task, { base, fields: { ...fields, content: fields.content + text } });
}

function store(task: Task | null, form: Form): void {
  const item = task?.id ?? NEW_ITEM;
  const end = task === null || task.pinned ? null : parseTime(task.expiresAt);
  if (isDirty(form)) drafts.save(item, form.fields, form.base, end ?? Infinity);
  else drafts.discard(item);
}
