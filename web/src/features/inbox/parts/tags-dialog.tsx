// Tags of one task, or of several at once: those that all have, and those to add.
import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Task } from '#core/contract/index.ts';
import { parseTags } from '../../../lib/tags.ts';
import { plural } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { countValues } from '../model/counts.ts';
import { addTags, removeTags, tagProblem } from '../model/tags.ts';

interface TagsDialogProps {
  tasks: readonly Task[];
  onClose: () => void;
  onSave: (tasks: readonly Task[], tagsOf: (task: Task) => string[]) => void;
}

export default function TagsDialog({ tasks, onClose, onSave }: TagsDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const counts = countValues(tasks.flatMap(({ tags }) => tags));
  const added = parseTags(typed);
  const isUnchanged = added.length === 0 && removed.size === 0;
  const tagsOf = (task: Task) => addTags(removeTags(task.tags, removed), added);
  const problem = tagProblem(tasks.map(tagsOf));

  function toggle(tag: string) {
    const next = new Set(removed);
    if (!next.delete(tag)) next.add(tag);
    setRemoved(next);
  }

  function save() {
    if (problem !== null) return;
    if (!isUnchanged) onSave(tasks, tagsOf);
    onClose();
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={tasks.length === 1 ? 'Tags' : `Tags of ${plural(tasks.length, 'item')}`}
      initialFocus={field}
      size="md"
    >
      <Form noValidate className="flex flex-col gap-5" onSubmit={save}>
        {counts.length === 0 ? null : (
          <ul aria-label="Tags they have" className="flex flex-wrap gap-2">
            {counts.map(({ value: tag, count }) => (
              <li key={tag}>
                <button
                  type="button"
                  aria-pressed={removed.has(tag)}
                  aria-label={`Remove ${tag}`}
                  onClick={() => toggle(tag)}
                  className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-line-1 bg-surface-2 pr-2 pl-3 text-13 aria-pressed:text-ink-3 aria-pressed:line-through touch:min-h-11"
                >
                  <span translate="no">{`#${tag}`}</span>
                  {tasks.length === 1 ? null : <span className="nums text-ink-3">{count}</span>}
                  {removed.has(tag) ? <Plus size={14} aria-hidden /> : <X size={14} aria-hidden />}
                </button>
              </li>
            ))}
          </ul>
        )}
        <TextField
          ref={field}
          label="Add tags"
          hint="Separated by commas"
          value={typed}
          onChange={setTyped}
          error={problem ?? undefined}
        />
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" kind="primary" disabled={isUnchanged || problem !== null}>
            Save Changes
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
