// Add New Item and Edit Item. The dialog cannot be closed while it saves; unsaved text is stored as a draft.
import { useRef, useState } from 'react';
import type { Task } from '#core/contract/index.ts';
import type { DraftFields } from '../../../lib/drafts.ts';
import { PRIORITIES, PRIORITY_LABEL, sourceLabel } from '../../../lib/labels.ts';
import { fullTime } from '../../../lib/time.ts';
import { Banner, ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, INPUT, TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';
import { useItemForm, type ItemFormOptions, type ItemInput } from '../data/use-item-form.ts';
import { AddOptions } from './add-options.tsx';
import { describeMarks, QuickAddChips, QuickAddHint } from './quick-add-chips.tsx';

export type { ItemInput };

type ItemDialogProps = Pick<ItemFormOptions, 'task' | 'onClose' | 'onSave'>;

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

function ItemForm(props: ItemFormOptions) {
  const { task, busy, messageField, onClose } = props;
  const form = useItemForm(props);
  const { draft, quickAdd, problem, messageError, isBlank } = form;
  const { content, tags } = draft.fields;
  return (
    <Form noValidate className="flex flex-col gap-5" onSubmit={() => void form.save()}>
      <ProblemBanner problem={problem} onDismiss={form.dismissProblem} />
      {draft.savedAt === null ? null : (
        <DraftLine at={draft.savedAt} disabled={busy} onDiscard={form.discard} />
      )}
      {draft.newer === null ? null : <NewerNote now={draft.newer} />}
      <div className="flex flex-col gap-2.5">
        <Field
          label="Message"
          error={messageError}
          hint={task === null && quickAdd.marks.length === 0 ? <QuickAddHint /> : null}
        >
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
        {task === null ? (
          <>
            <QuickAddChips marks={quickAdd.marks} disabled={busy} onPlain={form.leaveInMessage} />
            <p role="status" className="sr-only">
              {describeMarks(quickAdd.finishedMarks)}
            </p>
          </>
        ) : null}
      </div>
      <Choice
        label="Priority"
        value={quickAdd.priority}
        onChange={quickAdd.setPriority}
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
      {task === null ? (
        <AddOptions
          expiryMinutes={quickAdd.expiryMinutes}
          pinned={quickAdd.pinned}
          error={problem?.fields['expiryMinutes']}
          disabled={busy}
          onExpiryChange={quickAdd.setExpiryMinutes}
          onPinnedChange={quickAdd.setPinned}
        />
      ) : null}
      <div className="flex items-center justify-end gap-2">
        <span className="mr-auto flex items-center gap-1.5 text-13 text-ink-3 touch:hidden max-sm:hidden">
          <Keys keys="Ctrl Enter" /> saves
        </span>
        <Button kind="quiet" className="touch:h-11" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button type="submit" kind="primary" className="touch:h-11" disabled={isBlank || busy}>
          {busy ? 'Saving…' : task === null ? 'Add Item' : 'Save Changes'}
        </Button>
      </div>
    </Form>
  );
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
