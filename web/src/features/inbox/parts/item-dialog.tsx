// Add New Item and Edit Item: message, priority, tags. Errors stand where they belong; nothing closes while it saves, and what was
// typed is there again when it was closed before.
import { useLayoutEffect, useRef, useState } from 'react';
import type { Priority, Task } from '#core/contract/index.ts';
import type { DraftFields } from '../../../lib/drafts.ts';
import { ApiError, problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { PRIORITIES, PRIORITY_LABEL, sourceLabel } from '../../../lib/labels.ts';
import { parseTags } from '../../../lib/tags.ts';
import { fullTime } from '../../../lib/time.ts';
import { Banner, ProblemText } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, INPUT } from '../../../ui/field.tsx';
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
  open: boolean;
  onClose: () => void;
  /** Rejects when it could not be saved. */
  onSave: (input: ItemInput) => Promise<void>;
}

export default function ItemDialog({ task, open, onClose, onSave }: ItemDialogProps) {
  const [busy, setBusy] = useState(false);
  const messageField = useRef<HTMLTextAreaElement>(null);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      busy={busy}
      title={task === null ? 'Add New Item' : 'Edit Item'}
      initialFocus={messageField}
      {...(task === null ? {} : { description: <Facts task={task} /> })}
    >
      <ItemForm
        key={task?.id ?? 'new'}
        task={task}
        busy={busy}
        setBusy={setBusy}
        messageField={messageField}
        onClose={onClose}
        onSave={onSave}
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

interface ItemFormProps extends Omit<ItemDialogProps, 'open'> {
  busy: boolean;
  setBusy: (busy: boolean) => void;
  messageField: React.RefObject<HTMLTextAreaElement | null>;
}

function ItemForm({ task, busy, setBusy, messageField, onClose, onSave }: ItemFormProps) {
  const { fields, set, savedAt: keptAt, newer, discard, clear: forget } = useDraft(task);
  const { content, priority, tags } = fields;
  const [touched, setTouched] = useState(false);
  const [problem, setProblem] = useState<(Problem & { fields: Record<string, string> }) | null>(null);
  const blank = content.trim() === '';
  // What is typed goes on from what is there.
  useLayoutEffect(() => {
    const field = messageField.current;
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [messageField]);

  async function save() {
    setTouched(true);
    if (blank || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await onSave({ content: content.trim(), priority, tags: parseTags(tags) });
      forget();
      onClose();
    } catch (error) {
      const fallback = task === null ? 'Failed to create task' : 'Failed to update task';
      setProblem({ ...problemOf(error, fallback), fields: fieldErrors(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {problem === null ? null : (
        <Banner tone="danger" onDismiss={() => setProblem(null)}>
          <ProblemText message={problem.message} code={problem.code} />
        </Banner>
      )}
      {keptAt === null ? null : (
        <DraftLine
          at={keptAt}
          disabled={busy}
          onDiscard={() => {
            discard();
            setTouched(false);
            messageField.current?.focus();
          }}
        />
      )}
      {newer === null ? null : <NewerNote now={newer} />}
      <Field label="Message" error={touched && blank ? 'Message is required' : problem?.fields['content']}>
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
            onChange={(event) => {
              set({ content: event.target.value });
              if (content !== '' && event.target.value.trim() === '') setTouched(true);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
            }}
            className={`${INPUT} max-h-[40vh] min-h-24 py-2 text-16 field-sizing-content`}
          />
        )}
      </Field>
      <Choice
        label="Priority"
        value={priority}
        onChange={(next) => set({ priority: next })}
        disabled={busy}
        options={PRIORITIES.map((value) => ({
          value,
          label: PRIORITY_LABEL[value],
          icon: <PriorityMark priority={value} />,
        }))}
      />
      <Field label="Tags" hint="Separated by commas" error={problem?.fields['tags']}>
        {(control) => (
          <input
            {...control}
            value={tags}
            disabled={busy}
            autoComplete="off"
            onChange={(event) => set({ tags: event.target.value })}
            className={`${INPUT} h-10`}
          />
        )}
      </Field>
      <div className="flex items-center justify-end gap-2">
        <span className="mr-auto flex items-center gap-1.5 text-13 text-ink-3 touch:hidden max-sm:hidden">
          <Keys keys="Ctrl Enter" /> saves
        </span>
        <Button kind="quiet" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" kind="primary" disabled={blank || busy}>
          {busy ? 'Saving…' : task === null ? 'Add Item' : 'Save Changes'}
        </Button>
      </div>
    </form>
  );
}

interface DraftLineProps {
  at: number;
  disabled: boolean;
  onDiscard: () => void;
}

function DraftLine({ at, disabled, onDiscard }: DraftLineProps) {
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

// Whoever saves should know what goes.
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

// "tags/3" belongs to the tags.
function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.details.map(({ field, message }) => [field.split('/')[0] ?? field, message]),
  );
}
