// The form of Add and Edit: its fields, what its message says by marks, and saving it.
import { useLayoutEffect, useState, type RefObject } from 'react';
import type { Priority, Task } from '#core/contract/index.ts';
import { isBlank } from '#core/domain/blank.ts';
import { DEFAULT_EXPIRY_MINUTES } from '#core/contract/limits.ts';
import { ApiError, problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { parseTags } from '../../../lib/tags.ts';
import { parseQuickAdd, plainIn, withoutMarks, type Mark } from '#core/text/quick-add.ts';
import { useDraft } from './use-draft.ts';

export interface ItemInput {
  content: string;
  priority: Priority;
  tags: string[];
  /** Of a new item; left out where it is the default. */
  expiryMinutes?: number;
  /** Of a new item; left out where it is not. */
  pinned?: true;
}

export interface ItemFormOptions {
  /** The task to edit; null to add one. */
  task: Task | null;
  busy: boolean;
  setBusy: (busy: boolean) => void;
  messageField: RefObject<HTMLTextAreaElement | null>;
  onClose: () => void;
  /** Rejects when it could not be saved. */
  onSave: (input: ItemInput) => Promise<void>;
}

export function useItemForm({ task, busy, setBusy, messageField, onClose, onSave }: ItemFormOptions) {
  const draft = useDraft(task);
  const { content } = draft.fields;
  const quickAdd = useQuickAdd(task, draft);
  const [touched, setTouched] = useState(false);
  const [problem, setProblem] = useState<(Problem & { fields: Record<string, string> }) | null>(null);
  const isEmpty = isBlank(quickAdd.input.content);
  // Typing continues at the end of the text.
  useLayoutEffect(() => {
    const field = messageField.current;
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [messageField]);

  async function save() {
    setTouched(true);
    if (isEmpty || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await onSave(quickAdd.input);
      draft.clear();
      onClose();
    } catch (error) {
      const fallback = task === null ? 'Failed to create task' : 'Failed to update task';
      setProblem({ ...problemOf(error, fallback), fields: fieldErrors(error) });
    } finally {
      setBusy(false);
    }
  }

  return {
    draft,
    quickAdd,
    problem,
    dismissProblem: () => setProblem(null),
    isBlank: isEmpty,
    messageError: touched && isEmpty ? 'Message is required' : problem?.fields['content'],
    setContent: (text: string) => {
      quickAdd.setContent(text);
      if (content !== '' && isBlank(text)) setTouched(true);
    },
    leaveInMessage: (mark: Mark) => {
      quickAdd.leaveInMessage(mark);
      messageField.current?.focus();
    },
    save,
    discard: () => {
      draft.discard();
      setTouched(false);
      messageField.current?.focus();
    },
  };
}

/** The values of the form: of a new item, those of the marks in its message come before the fields. */
function useQuickAdd(task: Task | null, draft: ReturnType<typeof useDraft>) {
  const { content, priority, tags, expiryMinutes = DEFAULT_EXPIRY_MINUTES, pinned = false } = draft.fields;
  const plain = (draft.fields.plain ?? '').split(' ').filter((typed) => typed !== '');
  const context = { tags: [...new Set(parseTags(tags))], plain };
  const parse = (text: string) =>
    task === null ? parseQuickAdd(text, context) : { text: text.trim(), marks: [] };
  const { text, marks } = parse(content);
  const values = { priority, expiryMinutes };
  for (const mark of marks) {
    if (mark.kind === 'priority') values.priority = mark.priority;
    if (mark.kind === 'time') values.expiryMinutes = mark.minutes;
  }
  const markedTags = marks.flatMap((mark) => (mark.kind === 'tag' ? [mark.tag] : []));

  /** A choice in a field takes the place of the marks. */
  const choose = (changes: { priority: Priority } | { expiryMinutes: number }, kind: Mark['kind']) =>
    draft.set({ ...changes, ...(task === null ? { content: withoutMarks(content, kind, context) } : {}) });
  const input: ItemInput = {
    content: text,
    priority: values.priority,
    tags: [...new Set([...parseTags(tags), ...markedTags])],
    ...(values.expiryMinutes === DEFAULT_EXPIRY_MINUTES ? {} : { expiryMinutes: values.expiryMinutes }),
    ...(pinned ? { pinned } : {}),
  };

  return {
    input,
    marks,
    /** Those of finished words: a screen reader is not told of each key. */
    finishedMarks: parse(content.replace(/\S+$/, '')).marks,
    ...values,
    pinned,
    setContent: (next: string) =>
      draft.set({ content: next, ...(plain.length === 0 ? {} : { plain: plainIn(next, plain).join(' ') }) }),
    leaveInMessage: ({ typed }: Mark) => draft.set({ plain: [...plain, typed].join(' ') }),
    setPriority: (next: Priority) => choose({ priority: next }, 'priority'),
    setExpiryMinutes: (next: number) => choose({ expiryMinutes: next }, 'time'),
    setPinned: (next: boolean) => draft.set({ pinned: next }),
  };
}

// An error at "tags/3" is shown at the tags.
function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.details.map(({ field, message }) => [field.split('/')[0] ?? field, message]),
  );
}
