// Asks once more before something that cannot be undone. The question says what will be gone.
import { useState } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  open: boolean;
  title: string;
  question: string;
  /** What the button does: "Revoke". */
  action: string;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

export function Confirm({ open, title, question, action, busy = false, onConfirm, onCancel }: ConfirmProps) {
  return (
    <Dialog alert size="sm" open={open} onClose={onCancel} busy={busy} title={title} description={question}>
      <div className="flex justify-end gap-2">
        <Button kind="quiet" onClick={onCancel} disabled={busy}>
          Cancel
        </Button>
        <Button kind="danger" onClick={onConfirm} disabled={busy}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}

interface ConfirmItemProps<T> extends Omit<ConfirmProps, 'open' | 'title' | 'question' | 'onConfirm'> {
  /** The item of the question; null while none is asked. */
  item: T | null;
  title: (item: T) => string;
  question: (item: T) => string;
  onConfirm: (item: T) => void;
}

/** {@link Confirm} about one item of a list. While it closes it still names the item. */
export function ConfirmItem<T>({ item, title, question, onConfirm, ...rest }: ConfirmItemProps<T>) {
  const [last, setLast] = useState(item);
  if (item !== null && item !== last) setLast(item);
  const named = item ?? last;
  if (named === null) return null;
  return (
    <Confirm
      open={item !== null}
      title={title(named)}
      question={question(named)}
      onConfirm={() => onConfirm(named)}
      {...rest}
    />
  );
}
