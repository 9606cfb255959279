// A new address for an intake. The old one may stay good for a while, so that the sender can be changed without a gap.
import { useState } from 'react';
import type { Intake } from '#core/contract/index.ts';
import { problemOf, type Problem } from '../../../lib/api/api-error.ts';
import { ticker } from '../../../lib/services.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { fullTime } from '../../../lib/time.ts';
import { Banner, ProblemText } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { notify } from '../../../ui/toast.tsx';
import { useIntakeCalls } from '../data.ts';

const MINUTE_MS = 60_000;
const GRACES = [
  { minutes: 0, label: 'Now' },
  { minutes: 60, label: '1 hour' },
  { minutes: 1440, label: '1 day' },
  { minutes: 7 * 1440, label: '7 days' },
];

interface RotateDialogProps {
  intake: Intake;
  open: boolean;
  onClose: () => void;
}

export function RotateDialog({ intake, open, onClose }: RotateDialogProps) {
  const { rotate } = useIntakeCalls();
  const [minutes, setMinutes] = useState(1440);
  const until = useTicking(ticker, (now) => fullTime(now + minutes * MINUTE_MS));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function confirm() {
    setBusy(true);
    setProblem(null);
    try {
      await rotate(intake.id, minutes);
      void notify({ text: 'The intake has a new address. Give it to the sender.' });
      onClose();
    } catch (error) {
      setProblem(problemOf(error, 'Failed to make a new address'));
    } finally {
      setBusy(false);
    }
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
        {problem === null ? null : (
          <Banner tone="danger" onDismiss={() => setProblem(null)}>
            <ProblemText {...problem} />
          </Banner>
        )}
        <fieldset disabled={busy}>
          <legend className="mb-1.5 text-14 font-medium">The old address stops working</legend>
          <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
            {GRACES.map((grace) => (
              <label
                key={grace.minutes}
                className="relative flex h-10 cursor-pointer items-center justify-center rounded-sm border border-line-1 text-14 text-ink-2 hover:border-line-2 has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-ink-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-focus"
              >
                <input
                  type="radio"
                  name="grace"
                  checked={grace.minutes === minutes}
                  onChange={() => setMinutes(grace.minutes)}
                  className="absolute inset-0 cursor-pointer appearance-none rounded-sm outline-none"
                />
                {grace.minutes === 0 ? grace.label : `In ${grace.label}`}
              </label>
            ))}
          </div>
        </fieldset>
        <p role="status" className="text-14 text-ink-2">
          {minutes === 0
            ? 'It is unknown from the moment you confirm. What is sent to it then is lost.'
            : `It stays good until ${until}, beside the new one.`}
        </p>
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
