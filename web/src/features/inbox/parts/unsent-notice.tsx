// Notices for as long as they hold: no network, changes that are not sent, too old to be sent, or refused.
import { useState, type ReactNode } from 'react';
import type { OutboxSnapshot } from '../../../lib/outbox/types.ts';
import { describe, sortOut } from '../../../lib/outbox/describe.ts';
import { ticker } from '../../../lib/services.ts';
import { plural } from '../../../lib/text.ts';
import { useTicking } from '../../../lib/ticker.ts';
import { pastTime } from '../../../lib/time.ts';
import { Banner, ProblemBanner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { onDemand } from '../../../ui/on-demand.tsx';
import { open } from '../../../ui/opening.ts';
import type { Queue } from '../data/use-queue.ts';

const UnsentDialog = onDemand(() => import('./unsent-dialog.tsx'));

/** Whether there is anything to show. */
export function hasUnsentNotice({ offline, waiting }: Queue): boolean {
  const { stale, refused } = sortOut(waiting.entries, ticker.now());
  return (
    offline !== null ||
    stale.length + refused.length > 0 ||
    (waiting.blocked !== null && waiting.entries.length > 0)
  );
}

export function UnsentNotice({ offline, outbox, waiting }: Queue) {
  const [shown, setShown] = useState(false);
  const { waiting: queued, stale, refused } = sortOut(waiting.entries, ticker.now());
  const [first] = refused;
  // Both by the clock of this browser.
  const since = useTicking(ticker, () =>
    typeof offline?.since === 'number' ? pastTime(offline.since, Date.now()) : '',
  );
  const show = (
    <Button
      className="self-center"
      onClick={() =>
        open({ title: 'Changes not sent yet', code: UnsentDialog, field: 'none', show: () => setShown(true) })
      }
    >
      Show
    </Button>
  );
  return (
    <>
      {offline !== null ? (
        <InfoBanner
          title={`You are offline.${since === '' ? '' : ` What you see is from ${since}.`}`}
          action={queued.length === 0 ? null : show}
        >
          {promise(queued.length - waiting.unsaved, waiting)}
        </InfoBanner>
      ) : waiting.blocked !== null && queued.length > 0 ? (
        <InfoBanner title={`${plural(queued.length, 'change')} not sent yet.`} action={show}>
          {reason(waiting.blocked)} {waiting.durable ? STORED : NOT_STORED}
        </InfoBanner>
      ) : null}
      {stale.length === 0 ? null : (
        <InfoBanner
          title={`${plural(stale.length, 'change')} from more than a day ago not sent.`}
          action={show}
        >
          Too much may have happened since. Look at {stale.length === 1 ? 'it' : 'them'} and decide.
        </InfoBanner>
      )}
      {refused.length === 1 && first !== undefined ? (
        <ProblemBanner
          title={`Could not be done: ${describe(first.operation)}`}
          problem={first.refusal}
          onDismiss={() => void outbox.discard(first.id)}
        />
      ) : refused.length > 1 ? (
        <Banner tone="danger" title={`${plural(refused.length, 'change')} could not be made.`} action={show}>
          The list says what and why.
        </Banner>
      ) : null}
      {shown ? (
        <UnsentDialog.Component outbox={outbox} waiting={waiting} onClose={() => setShown(false)} />
      ) : null}
    </>
  );
}

const STORED = 'Kept on this device.';
const NOT_STORED = 'This browser keeps nothing: leave this page open until then.';

// Counts only what is stored.
function promise(count: number, { durable }: OutboxSnapshot): string {
  if (durable)
    return count === 0
      ? 'What you change is kept on this device and sent when you are back.'
      : `${plural(count, 'change')} ${count === 1 ? 'is' : 'are'} kept on this device and sent when you are back.`;
  return count === 0
    ? 'What you acknowledge or pin is sent when you are back, if this page stays open until then.'
    : `${plural(count, 'change')} ${count === 1 ? 'is' : 'are'} sent when you are back, if this page stays open until then.`;
}

function reason({ reason: why, message }: NonNullable<OutboxSnapshot['blocked']>): string {
  if (why === 'offline') return 'There is no network.';
  if (why === 'unreachable') return 'Qinbox does not answer. It is tried again by itself.';
  return `${message === '' ? 'Qinbox is busy.' : message} It is tried again by itself.`;
}

function InfoBanner({ title, children, action }: { title: string; children: ReactNode; action: ReactNode }) {
  return (
    <Banner tone="info" action={action}>
      <p className="font-medium">{title}</p>
      <p className="text-ink-2">{children}</p>
    </Banner>
  );
}
