// Saved views: saving the present list under a name and a key, and changing or deleting saved ones.
import { Pencil, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { View } from '#core/contract/index.ts';
import { problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { IconButton } from '../../../ui/hints.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { notify } from '../../../ui/toast.tsx';
import { VIEW_KEYS, type SavedViews } from '../data/views.ts';
import { describeQuery } from '../model/describe-filter.ts';

interface ViewsDialogProps {
  views: SavedViews;
  /** The present list. */
  query: string;
  onClose: () => void;
}

export default function ViewsDialog({ views, query, onClose }: ViewsDialogProps) {
  const [edited, setEdited] = useState<View | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const nameField = useRef<HTMLInputElement>(null);

  async function remove(view: View) {
    setProblem(null);
    try {
      await views.remove(view.id);
      const { name, key, query: saved } = view;
      void notify({
        text: `Deleted the view “${name}”`,
        action: { label: 'Undo', run: () => void views.save({ name, key, query: saved }, null) },
      });
    } catch (error) {
      setProblem(problemOf(error, 'Failed to delete the view'));
    }
  }

  return (
    <Dialog open onClose={onClose} title="Saved views" size="md" initialFocus={nameField}>
      <ProblemBanner className="mb-4" problem={problem} onDismiss={() => setProblem(null)} />
      {views.all.length === 0 ? null : (
        <ul aria-label="Saved views" className="-mx-2 mb-5 flex flex-col">
          {views.all.map((view) => (
            <li key={view.id} className="flex min-h-11 items-center gap-2 border-b border-line-1 px-2">
              <div className="min-w-0 flex-1">
                <p className="truncate text-14 font-medium">{view.name}</p>
                <p className="truncate text-13 text-ink-3">{describeQuery(view.query)}</p>
              </div>
              {view.key === null ? null : <Keys keys={view.key} />}
              <IconButton
                label={`Change ${view.name}`}
                onClick={() => {
                  setEdited(view);
                  nameField.current?.focus();
                }}
                className="touch:size-11"
              >
                <Pencil size={15} aria-hidden />
              </IconButton>
              <IconButton
                label={`Delete ${view.name}`}
                onClick={() => void remove(view)}
                className="touch:size-11"
              >
                <Trash2 size={16} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <ViewForm
        key={edited?.id ?? 'new'}
        view={edited}
        query={query}
        views={views}
        nameField={nameField}
        onDone={() => (edited === null ? onClose() : setEdited(null))}
      />
    </Dialog>
  );
}

interface ViewFormProps {
  /** The view to change; null saves a new one. */
  view: View | null;
  query: string;
  views: SavedViews;
  nameField: React.RefObject<HTMLInputElement | null>;
  onDone: () => void;
}

function ViewForm({ view, query, views, nameField, onDone }: ViewFormProps) {
  const free = VIEW_KEYS.filter((key) => views.all.every((each) => each.key !== key || each.id === view?.id));
  const [name, setName] = useState(view?.name ?? '');
  const [key, setKey] = useState(view === null ? (free[0] ?? '') : (view.key ?? ''));
  const [error, setError] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);

  async function save() {
    if (name.trim() === '') return setError('Please enter a name for the view');
    setBusy(true);
    try {
      const saved = { name: name.trim(), key: key === '' ? null : key, query: view?.query ?? query };
      await views.save(saved, view?.id ?? null);
      onDone();
    } catch (failure) {
      setError(problemOf(failure, 'Failed to save the view').message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Form noValidate className="flex flex-col gap-4" onSubmit={() => void save()}>
      <p className="text-14 text-ink-2">
        {view === null ? 'Save what is shown now' : `Change “${view.name}”`}:{' '}
        {describeQuery(view?.query ?? query)}
      </p>
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <TextField
            ref={nameField}
            label="Name"
            error={error}
            value={name}
            disabled={busy}
            onChange={setName}
          />
        </div>
        <SelectField
          label="Key"
          value={key}
          disabled={busy}
          onChange={setKey}
          options={[{ value: '', label: 'None' }, ...free.map((each) => ({ value: each, label: each }))]}
        />
      </div>
      <div className="flex justify-end gap-2">
        {view === null ? null : (
          <Button kind="quiet" onClick={onDone} disabled={busy}>
            Cancel
          </Button>
        )}
        <Button type="submit" kind="primary" disabled={busy}>
          {busy ? 'Saving…' : view === null ? 'Save View' : 'Save Changes'}
        </Button>
      </div>
    </Form>
  );
}
