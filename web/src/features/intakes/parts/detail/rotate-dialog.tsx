// A new address for an intake. The old one may stay good for a while, so that no delivery is lost.
import { useState } from 'react';
import type { Intake } from '#core/contract/index.ts';
import { problemWith } from '../../../../lib/api/api-error.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { ProblemBanner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { notify } from '../../../../ui/toast.tsx';
import { useIntakeCalls } from '../../data/intakes.ts';
import { GraceChoice } from './grace-choice.tsx';

interface RotateDialogProps {
  intake: Intake;
  open: boolean;
  onClose: () => void;
}

export function RotateDialog({ intake, open, onClose }: RotateDialogProps) {
  const { rotate } = useIntakeCalls();
  const [minutes, setMinutes] = useState(1440);
  const { busy, problem, setProblem, run } = useAction();

  async function confirm() {
    if (!(await run(() => rotate(intake.id, minutes), problemWith('Failed to make a new address')))) return;
    void notify({ text: 'The intake has a new address. Give it to the sender.' });
    onClose();
  }

  return (
    <Dialog
      size="md"
      open={open}
      onClose={onClose}
      busy={busy}
      title="New address"
      description="For when the address has become known to others, or the sender changes."
    >
      <div className="flex flex-col gap-5">
        <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
        <GraceChoice
          legend="The old address stops working"
          atOnce="It is unknown from the moment you confirm. What is sent to it then is lost."
          minutes={minutes}
          onChange={setMinutes}
          disabled={busy}
        />
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button kind={minutes === 0 ? 'danger' : 'primary'} onClick={() => void confirm()} disabled={busy}>
            Make a new address
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
