// Asks once more before something that cannot be undone. The question says what will be gone.
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
