// Add New Item and Edit Item: message, priority, tags. Errors stand where they belong; nothing closes while it saves.
import { useRef, useState } from 'react';
import type { Priority, Task } from '#core/contract/index.ts';
import { ApiError, problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { PRIORITIES, PRIORITY_LABEL, sourceLabel } from '../../../lib/labels.ts';
import { formatTags, parseTags } from '../../../lib/tags.ts';
import { fullTime } from '../../../lib/time.ts';
import { Banner, ProblemText } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, INPUT } from '../../../ui/field.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';

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
  const [content, setContent] = useState(task?.content ?? '');
  const [priority, setPriority] = useState<Priority>(task?.priority ?? 'normal');
  const [tags, setTags] = useState(formatTags(task?.tags ?? []));
  const [touched, setTouched] = useState(false);
  const [problem, setProblem] = useState<(Problem & { fields: Record<string, string> }) | null>(null);
  const blank = content.trim() === '';

  async function save() {
    setTouched(true);
    if (blank || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await onSave({ content: content.trim(), priority, tags: parseTags(tags) });
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
              setContent(event.target.value);
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
        onChange={setPriority}
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
            onChange={(event) => setTags(event.target.value)}
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

// "tags/3" belongs to the tags.
function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(
    error.details.map(({ field, message }) => [field.split('/')[0] ?? field, message]),
  );
}
