// That there is no network, what waits to be sent, what is too old for it and what was refused: told for as long as it is so.
import { useState, type ReactNode } from 'react';
import type { OutboxSnapshot } from '../../../lib/outbox/types.ts';
import { changes, describe, sortOut } from '../../../lib/outbox/describe.ts';
import { ticker } from '../../../lib/services.ts';
import { Banner, ProblemText } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { onDemand } from '../../../ui/on-demand.tsx';
import { open } from '../../../ui/opening.ts';
import type { Queue } from '../data/use-queue.ts';

const WaitingDialog = onDemand(() => import('./unsent-dialog.tsx'));

const TITLE = 'Changes not sent yet';

type WaitingNoticeProps = Pick<Queue, 'offline' | 'outbox' | 'waiting'>;

/** Whether there is anything to tell. */
export function hasUnsentNotice({ offline, waiting }: Pick<Queue, 'offline' | 'waiting'>): boolean {
  const { stale, refused } = sortOut(waiting.entries, ticker.now());
  return (
    offline !== null ||
    stale.length + refused.length > 0 ||
    (waiting.blocked !== null && waiting.entries.length > 0)
  );
}

export function UnsentNotice({ offline, outbox, waiting }: WaitingNoticeProps) {
  const [shown, setShown] = useState(false);
  const { waiting: queued, stale, refused } = sortOut(waiting.entries, ticker.now());
  const show = (
    <Button
      className="self-center"
      onClick={() => open({ title: TITLE, code: WaitingDialog, field: 'none', show: () => setShown(true) })}
    >
      Show
    </Button>
  );
  return (
    <>
      {offline !== null ? (
        <Told
          title={`You are offline.${offline.since === null ? '' : ` What you see is from ${timeOf(offline.since)}.`}`}
          action={queued.length === 0 ? null : show}
        >
          {promise(queued.length - waiting.unsaved, waiting)}
        </Told>
      ) : waiting.blocked !== null && queued.length > 0 ? (
        <Told title={`${changes(queued.length)} not sent yet.`} action={show}>
          {reason(waiting.blocked)} {waiting.durable ? KEPT : UNKEPT}
        </Told>
      ) : null}
      {stale.length === 0 ? null : (
        <Told title={`${changes(stale.length)} from more than a day ago not sent.`} action={show}>
          Too much may have happened since. Look at {stale.length === 1 ? 'it' : 'them'} and decide.
        </Told>
      )}
      {refused.length === 1 && refused[0] !== undefined ? (
        <Refused entry={refused[0]} onDismiss={(id) => void outbox.discard(id)} />
      ) : refused.length > 1 ? (
        <Banner tone="danger" title={`${changes(refused.length)} could not be made.`} action={show}>
          The list says what and why.
        </Banner>
      ) : null}
      {shown ? (
        <WaitingDialog.Component outbox={outbox} waiting={waiting} onClose={() => setShown(false)} />
      ) : null}
    </>
  );
}

const KEPT = 'Kept on this device.';
const UNKEPT = 'This browser keeps nothing: leave this page open until then.';

// Never more than is kept.
function promise(count: number, { durable }: OutboxSnapshot): string {
  if (durable)
    return count === 0
      ? 'What you change is kept on this device and sent when you are back.'
      : `${changes(count)} ${count === 1 ? 'is' : 'are'} kept on this device and sent when you are back.`;
  return count === 0
    ? 'What you acknowledge or pin is sent when you are back, if this page stays open until then.'
    : `${changes(count)} ${count === 1 ? 'is' : 'are'} sent when you are back, if this page stays open until then.`;
}

function reason({ reason: why, message }: NonNullable<OutboxSnapshot['blocked']>): string {
  if (why === 'offline') return 'There is no network.';
  if (why === 'unreachable') return 'Qinbox does not answer. It is tried again by itself.';
  return `${message === '' ? 'Qinbox is busy.' : message} It is tried again by itself.`;
}

function Told({ title, children, action }: { title: string; children: ReactNode; action: ReactNode }) {
  return (
    <Banner tone="info" action={action}>
      <p className="font-medium">{title}</p>
      <p className="text-ink-2">{children}</p>
    </Banner>
  );
}

interface RefusedProps {
  entry: OutboxSnapshot['entries'][number];
  onDismiss: (id: string) => void;
}

function Refused({ entry: { id, operation, refusal }, onDismiss }: RefusedProps) {
  return (
    <Banner tone="danger" title={`Could not be done: ${describe(operation)}`} onDismiss={() => onDismiss(id)}>
      <ProblemText message={refusal?.message ?? ''} code={refusal?.code} />
    </Banner>
  );
}

function timeOf(ms: number): string {
  return new Date(ms).toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}
