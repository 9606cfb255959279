// The code that links an account: shown as the command to type, with the time left, until it was used.
import { useEffect, useState } from 'react';
import { problemWith } from '../../../lib/api/api-error.ts';
import { ticker } from '../../../lib/services.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { useAction } from '../../../lib/use-action.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { useSlackChanges, useSlackStatus } from '../data/slack-status.ts';

/** While a code is shown, somebody is typing it. */
const POLL_MS = 3000;
/** The lifetime of a code: no more is shown, however clocks differ. */
const MAX_SECONDS = 600;

interface Code {
  code: string;
  /** In milliseconds. */
  expiresAt: number;
  /** The number of linked accounts when it was made. */
  linked: number;
}

export function LinkCode({ linked }: { linked: number }) {
  const { newCode } = useSlackChanges();
  const [shown, setShown] = useState<Code | null>(null);
  const { busy, problem, setProblem, run } = useAction();
  const [wasUsed, setWasUsed] = useState(false);
  const isUsed = shown !== null && linked > shown.linked;

  useEffect(() => {
    if (!isUsed) return;
    setShown(null);
    setWasUsed(true);
  }, [isUsed]);

  async function ask() {
    setWasUsed(false);
    await run(async () => setShown({ ...(await newCode()), linked }), problemWith('Failed to get a code'));
  }

  return (
    <div className="flex flex-col items-start gap-3">
      <ProblemBanner className="w-full" problem={problem} onDismiss={() => setProblem(null)} />
      <p role="status" className={wasUsed ? 'text-14' : 'sr-only'}>
        {wasUsed ? 'Your account is linked. Try /task buy milk in Slack.' : ''}
      </p>
      {shown === null ? (
        <Button kind={linked === 0 ? 'primary' : 'secondary'} disabled={busy} onClick={() => void ask()}>
          {linked === 0 ? 'Link my account' : 'Link another account'}
        </Button>
      ) : (
        <ShownCode key={shown.code} shown={shown} busy={busy} onAgain={() => void ask()} />
      )}
    </div>
  );
}

function ShownCode({ shown, busy, onAgain }: { shown: Code; busy: boolean; onAgain: () => void }) {
  const left = useTicking(ticker, (now) => countdown(shown.expiresAt - now));
  const isOver = left === '';
  useSlackStatus(isOver ? undefined : POLL_MS);
  return (
    <section
      aria-label="Link code"
      className="flex w-full flex-col gap-2.5 rounded-md border border-accent/40 bg-accent-soft p-4"
    >
      {isOver ? (
        <p role="status" className="text-14">
          This code is no longer good.
        </p>
      ) : (
        <>
          <p className="text-14">Type this in Slack, in any channel:</p>
          <Copyable text={`/task link ${shown.code}`} label="Copy command" />
          <p className="text-13 text-ink-2">
            Good for <span className="tabular-nums">{left}</span>, once.
          </p>
        </>
      )}
      <Button kind="quiet" className="-ml-2 self-start" disabled={busy} onClick={onAgain}>
        Get another code
      </Button>
    </section>
  );
}

/** "9:05"; "" once it is over. */
function countdown(leftMs: number): string {
  if (leftMs <= 0) return '';
  const seconds = Math.min(Math.ceil(leftMs / 1000), MAX_SECONDS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
