// Add New Item and Edit Item. The dialog cannot be closed while it saves; unsaved text is stored as a draft.
import { useLayoutEffect, useRef, useState } from 'react';
import type { Priority, Task } from '#core/contract/index.ts';
import type { DraftFields } from '../../../lib/drafts.ts';
import { ApiError, problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { PRIORITIES, PRIORITY_LABEL, sourceLabel } from '../../../lib/labels.ts';
import { parseTags } from '../../../lib/tags.ts';
import { fullTime } from '../../../lib/time.ts';
import { Banner, ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, INPUT, TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';
import { useDraft } from '../data/use-draft.ts';

export interface ItemInput {
  content: string;
  priority: Priority;
  tags: string[];
}

interface ItemDialogProps {
  /** The task to edit; null to add one. */
  task: Task | null;
  onClose: () => void;
  /** Rejects when it could not be saved. */
  onSave: (input: ItemInput) => Promise<void>;
}

export default function ItemDialog(props: ItemDialogProps) {
  const { task, onClose } = props;
  const [busy, setBusy] = useState(false);
  const messageField = useRef<HTMLTextAreaElement>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      busy={busy}
      title={task === null ? 'Add New Item' : 'Edit Item'}
      initialFocus={messageField}
      {...(task === null ? {} : { description: <Facts task={task} /> })}
    >
      <ItemForm
        key={task?.id ?? 'new'}
        {...props}
        busy={busy}
        setBusy={setBusy}
        messageField={messageField}
      />
    </Dialog>
  );
}

function Facts({ task }: { task: Task }) {
  return (
    <p className="text-13">
      {sourceLabel(task.source)} · created {fullTime(task.createdAt)}
      {task.occurrences > 1 ? ` · reported ${task.occurrences} times` : ''} ·{' '}
      {task.pinned ? 'pinned' : `expires ${fullTime(task.expiresAt)}`}
    </p>
  );
}

interface ItemFormProps extends ItemDialogProps {
  busy: boolean;
  setBusy: (busy: boolean) => void;
  messageField: React.RefObject<HTMLTextAreaElement | null>;
}

function ItemForm(props: ItemFormProps) {
  const { task, busy, messageField, onClose } = props;
  const form = useItemForm(props);
  const { draft, problem, messageError, isBlank } = form;
  const { content, priority, tags } = draft.fields;
  return (
    <Form noValidate className="flex flex-col gap-5" onSubmit={() => void form.save()}>
      <ProblemBanner problem={problem} onDismiss={form.dismissProblem} />
      {draft.savedAt === null ? null : (
        <DraftLine at={draft.savedAt} disabled={busy} onDiscard={form.discard} />
      )}
      {draft.newer === null ? null : <NewerNote now={draft.newer} />}
      <Field label="Message" error={messageError}>
        {(control) => (
          <textarea
            {...control}
            ref={messageField}
            dir="auto"
            rows={4}
            required
            value={content}
            disabled={busy}
            placeholder="What needs attention today?"
            onChange={(event) => form.setContent(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void form.save();
            }}
            className={`${INPUT} max-h-[40vh] min-h-24 py-2 text-16 field-sizing-content`}
          />
        )}
      </Field>
      <Choice
        label="Priority"
        value={priority}
        onChange={(next) => draft.set({ priority: next })}
        disabled={busy}
        options={PRIORITIES.map((value) => ({
          value,
          label: PRIORITY_LABEL[value],
          icon: <PriorityMark priority={value} />,
        }))}
      />
      <TextField
        label="Tags"
        hint="Separated by commas"
        error={problem?.fields['tags']}
        value={tags}
        disabled={busy}
        onChange={(text) => draft.set({ tags: text })}
      />
      <div className="flex items-center justify-end gap-2">
        <span className="mr-auto flex items-center gap-1.5 text-13 text-ink-3 touch:hidden max-sm:hidden">
          <Keys keys="Ctrl Enter" /> saves
        </span>
        <Button kind="quiet" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" kind="primary" disabled={isBlank || busy}>
          {busy ? 'Saving…' : task === null ? 'Add Item' : 'Save Changes'}
        </Button>
      </div>
    </Form>
  );
}

function useItemForm({ task, busy, setBusy, messageField, onClose, onSave }: ItemFormProps) {
  const draft = useDraft(task);
  const { content, priority, tags } = draft.fields;
  const [touched, setTouched] = useState(false);
  const [problem, setProblem] = useState<(Problem & { fields: Record<string, string> }) | null>(null);
  const isBlank = content.trim() === '';
  // Typing continues at the end of the text.
  useLayoutEffect(() => {
    const field = messageField.current;
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [messageField]);

  async function save() {
    setTouched(true);
    if (isBlank || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await onSave({ content: content.trim(), priority, tags: parseTags(tags) });
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
    problem,
    dismissProblem: () => setProblem(null),
    isBlank,
    messageError: touched && isBlank ? 'Message is required' : problem?.fields['content'],
    setContent: (text: string) => {
      draft.set({ content: text });
      if (content !== '' && text.trim() === '') setTouched(true);
    },
    save,
    discard: () => {
      draft.discard();
      setTouched(false);
      messageField.current?.focus();
    },
  };
}

function DraftLine({ at, disabled, onDiscard }: { at: number; disabled: boolean; onDiscard: () => void }) {
  return (
    <div className="-my-2 flex items-center gap-1 text-13 text-ink-3">
      <p role="status" data-hint={fullTime(new Date(at).toISOString())}>
        Draft kept
      </p>
      <span aria-hidden>·</span>
      <button
        type="button"
        disabled={disabled}
        onClick={onDiscard}
        className="rounded-sm px-1 py-1.5 font-medium text-accent hover:underline disabled:opacity-55"
      >
        Discard
      </button>
    </div>
  );
}

// Shows what saving would replace.
function NewerNote({ now }: { now: DraftFields }) {
  return (
    <Banner tone="info">
      <p>This item was changed meanwhile. Saving replaces what it says now.</p>
      <details className="mt-1">
        <summary className="w-fit rounded-sm text-13 font-medium text-accent">What it says now</summary>
        <p dir="auto" className="mt-1 max-h-40 overflow-y-auto text-13 whitespace-pre-wrap text-ink-2">
          {now.content}
        </p>
        <p className="mt-1 text-13 text-ink-2">
          {PRIORITY_LABEL[now.priority]} priority{now.tags === '' ? '' : ` · ${now.tags}`}
        </p>
      </details>
    </Banner>
  );
}

// An error at "tags/3" is shown at the tags.
function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.details.map(({ field, message }) => [field.split('/')[0] ?? field, message]),
  );
}
