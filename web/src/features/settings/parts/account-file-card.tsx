// All of the account as a file, and such a file taken in: what it would do is shown before it does it.
import { Download, Upload } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import type { AccountFile, AccountImport } from '#core/contract/index.ts';
import { problemWith } from '../../../lib/api/api-error.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { downloadAccount, importAccount, readAccountFile } from '../data/account.ts';
import { describeCounts, nameOfKind } from '../model/account-kinds.ts';

/** A file that was chosen, and what it would do, or did. */
interface Chosen {
  name: string;
  file: AccountFile;
  outcome: AccountImport;
}

export function AccountFileCard() {
  const { busy, problem, setProblem, run } = useAction();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [open, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  const choose = (picked: File) =>
    run(async () => {
      const file = await readAccountFile(picked);
      setChosen({ name: picked.name, file, outcome: await importAccount(file, true) });
      setOpen(true);
    }, problemWith('The file could not be read'));

  const take = ({ name, file }: Chosen) =>
    run(async () => {
      setChosen({ name, file, outcome: await importAccount(file, false) });
    }, problemWith('The import failed. What was taken in stays: import the file again to complete it.'));

  return (
    <Card
      title="Backup and move"
      description="One file with your tasks, views, intakes, webhooks, escalations and choices, without a secret. It can be taken in here again, or on another server."
    >
      <div className="flex flex-col gap-4">
        <ProblemBanner problem={open ? null : problem} onDismiss={() => setProblem(null)} />
        <div className="flex flex-wrap gap-2">
          <Button disabled={busy} onClick={() => void run(downloadAccount, problemWith('The export failed'))}>
            <Download size={16} aria-hidden />
            Export
          </Button>
          <Button disabled={busy} onClick={() => input.current?.click()}>
            <Upload size={16} aria-hidden />
            Import…
          </Button>
          <input
            ref={input}
            type="file"
            accept="application/json,.json"
            aria-label="File of an account"
            tabIndex={-1}
            className="hidden"
            onChange={({ target }) => {
              const [picked] = target.files ?? [];
              // The same file may be chosen again.
              target.value = '';
              if (picked !== undefined) void choose(picked);
            }}
          />
        </div>
      </div>
      {chosen === null ? null : (
        <ImportDialog
          chosen={chosen}
          open={open}
          busy={busy}
          problem={<ProblemBanner problem={problem} onDismiss={() => setProblem(null)} />}
          onTake={() => void take(chosen)}
          onClose={() => setOpen(false)}
        />
      )}
    </Card>
  );
}

interface ImportDialogProps {
  chosen: Chosen;
  open: boolean;
  busy: boolean;
  problem: ReactNode;
  onTake: () => void;
  onClose: () => void;
}

function ImportDialog({ chosen, open, busy, problem, onTake, onClose }: ImportDialogProps) {
  const { outcome, name } = chosen;
  const taken = describeCounts(outcome.taken);
  const there = describeCounts(outcome.there);
  return (
    <Dialog
      open={open}
      busy={busy}
      onClose={onClose}
      title={outcome.dryRun ? 'Import this file?' : 'Imported'}
      description={<span className="wrap-anywhere">{name}</span>}
    >
      <div className="flex max-h-[55dvh] flex-col gap-4 overflow-y-auto text-14" tabIndex={-1}>
        {problem}
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <dt className="text-ink-3">{outcome.dryRun ? 'Will be taken in' : 'Taken in'}</dt>
          <dd>{taken ?? 'Nothing'}</dd>
          <dt className="text-ink-3">There already</dt>
          <dd>{there ?? 'Nothing'}</dd>
          <dt className="text-ink-3">Left out</dt>
          <dd>{describeCounts(outcome.leftOut) ?? 'Nothing'}</dd>
        </dl>
        <Lines
          title="Left out, because"
          lines={outcome.reasons.map(({ kind, name: of, reason }) => [`${nameOfKind(kind)} ${of}`, reason])}
        />
        <Lines
          title="Yours to do"
          lines={outcome.toDo.map(({ kind, name: of, what }) => [`${nameOfKind(kind)} ${of}`, what])}
        />
      </div>
      <div className="mt-5 flex justify-end gap-2">
        {outcome.dryRun ? (
          <>
            <Button kind="quiet" onClick={onClose} disabled={busy}>
              Cancel
            </Button>
            <Button kind="primary" onClick={onTake} disabled={busy || taken === null}>
              Import
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly (readonly [string, string])[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1.5 font-medium">{title}</h3>
      <ul className="flex flex-col gap-2">
        {lines.map(([name, text], index) => (
          <li key={`${index} ${name}`} className="wrap-anywhere">
            <span className="font-medium">{name.trim()}</span>
            <span className="block text-ink-2">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
