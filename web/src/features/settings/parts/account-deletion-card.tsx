// Deletes the account, after it said what goes and the address was typed.
import { useState } from 'react';
import type { AccountOverview } from '#core/contract/index.ts';
import { problemWith } from '../../../lib/api/api-error.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { notify } from '../../../ui/toast.tsx';
import { deleteAccount, fetchOverview } from '../data/account.ts';
import { describeCounts } from '../model/account-kinds.ts';

export function AccountDeletionCard() {
  const { busy, problem, setProblem, run } = useAction();
  const [overview, setOverview] = useState<AccountOverview | null>(null);
  const [open, setOpen] = useState(false);

  const ask = () =>
    run(async () => {
      setOverview(await fetchOverview());
      setOpen(true);
    }, problemWith('The account could not be read'));

  return (
    <Card
      title="Delete my account"
      description="Removes everything of yours from this server. It cannot be undone: export it first."
    >
      <div className="flex flex-col items-start gap-4">
        <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
        <Button kind="danger" disabled={busy} onClick={() => void ask()}>
          Delete my account…
        </Button>
      </div>
      {overview === null ? null : (
        <DeletionDialog overview={overview} open={open} onClose={() => setOpen(false)} />
      )}
    </Card>
  );
}

interface DeletionDialogProps {
  overview: AccountOverview;
  open: boolean;
  onClose: () => void;
}

function DeletionDialog({ overview: { email, counts, obstacle }, open, onClose }: DeletionDialogProps) {
  const { busy, problem, setProblem, run } = useAction();
  const [typed, setTyped] = useState('');
  const [administrator, setAdministrator] = useState('');
  const isConfirmed = typed.trim().toLowerCase() === email;
  const isBlocked = obstacle === 'guest-queue';
  const needsName = obstacle === 'last-administrator' && administrator.trim() === '';

  async function remove() {
    if (!isConfirmed || isBlocked || needsName) return;
    const isDeleted = await run(
      () => deleteAccount(typed, administrator),
      problemWith('The account could not be deleted'),
    );
    if (isDeleted) void notify({ text: 'Your account was deleted. What is stored of it goes now.' });
  }

  return (
    <Dialog
      alert
      size="md"
      open={open}
      busy={busy}
      onClose={onClose}
      title="Delete my account"
      description={`${describeCounts(counts) ?? 'The account'} of ${email} will be removed, with the devices, sessions and links to Slack. Programs that use your keys and addresses are refused at once.`}
    >
      <Form onSubmit={() => void remove()} className="flex flex-col gap-4">
        <ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />
        {isBlocked ? (
          <p className="text-14 text-danger">
            Guests read the queue of this account. The operator must name another one in GUEST_QUEUE first.
          </p>
        ) : null}
        {obstacle === 'last-administrator' ? (
          <TextField
            label="New administrator"
            hint="You are the last administrator. Name another user, by e-mail address, who becomes one."
            value={administrator}
            onChange={setAdministrator}
            disabled={busy}
          />
        ) : null}
        <TextField
          label={`Type ${email} to confirm`}
          value={typed}
          onChange={setTyped}
          disabled={busy || isBlocked}
          autoCapitalize="none"
          spellCheck={false}
        />
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button kind="danger" type="submit" disabled={busy || !isConfirmed || isBlocked || needsName}>
            Delete my account
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
