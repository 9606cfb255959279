// The command that sends the first task, with a key that is made in place, and waiting for what it sends.
import { KeyRound } from 'lucide-react';
import { useRef } from 'react';
import { API_BASE } from '#core/contract/protocol.ts';
import { quickCurl } from '../../../lib/quick-curl.ts';
import { ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { useFirstKey } from '../data/use-first-key.ts';

const SOME_KEY = 'qi_…';

export function FirstTask() {
  const { key, canMake, busy, problem, dismissProblem, make } = useFirstKey();
  const command = useRef<HTMLDivElement>(null);

  // The pressed button goes with its purpose; the next step is to copy.
  async function makeAndGoOn() {
    if (await make()) command.current?.querySelector('button')?.focus();
  }

  return (
    <>
      <p className="text-16 text-ink-2">
        Send the first task from any terminal,{' '}
        {key === null ? 'with an API key of yours' : 'with this command'}:
      </p>
      <div className="my-3 flex w-full flex-col gap-3">
        <div ref={command}>
          <Copyable
            label="Copy command"
            text={quickCurl(`${location.origin}${API_BASE}`, undefined, key ?? SOME_KEY)}
          />
        </div>
        <ProblemBanner problem={problem} onDismiss={dismissProblem} className="text-left" />
        {canMake && key === null ? (
          <Button className="self-center touch:h-11" disabled={busy} onClick={() => void makeAndGoOn()}>
            <KeyRound size={16} aria-hidden />
            {busy ? 'Making a key…' : 'Make an API key'}
          </Button>
        ) : null}
        {/* There from the start, so that its text is read out when it comes. */}
        {canMake ? (
          <p role="status" className={key === null ? 'sr-only' : 'text-14 text-ink-2'}>
            {key === null
              ? ''
              : 'Your new key is in the command. It is shown only this once: copy it now. It can create tasks and nothing else, which is all that a cron job needs.'}
          </p>
        ) : null}
      </div>
      <p role="status" className="mb-6 flex items-center gap-2.5 text-14 text-ink-2">
        <span aria-hidden className="breathe size-2 rounded-full bg-accent" />
        Waiting for the first task
      </p>
    </>
  );
}
