// The unsent changes: what, when, and a way to discard each.
import { Send, X } from 'lucide-react';
import { useEffect } from 'react';
import type { Entry } from '../../../lib/outbox/entry.ts';
import type { Outbox } from '../../../lib/outbox/outbox.ts';
import type { OutboxSnapshot } from '../../../lib/outbox/types.ts';
import { isStale } from '../../../lib/outbox/rules.ts';
import { describe } from '../../../lib/outbox/describe.ts';
import { ticker } from '../../../lib/services.ts';
import { fullTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';

interface WaitingDialogProps {
  outbox: Outbox;
  waiting: OutboxSnapshot;
  onClose: () => void;
}

export default function UnsentDialog({ outbox, waiting: { entries, durable }, onClose }: WaitingDialogProps) {
  const none = entries.length === 0;
  useEffect(() => {
    if (none) onClose();
  }, [none, onClose]);
  return (
    <Dialog
      open={!none}
      onClose={onClose}
      title="Changes not sent yet"
      description={
        durable
          ? 'They are kept on this device and sent by themselves, in this order.'
          : 'They are sent by themselves, in this order, if this page stays open.'
      }
    >
      <ul className="-mx-2 flex max-h-[50vh] flex-col overflow-y-auto">
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} outbox={outbox} />
        ))}
      </ul>
    </Dialog>
  );
}

function Row({ entry, outbox }: { entry: Entry; outbox: Outbox }) {
  const { id, operation, at, refusal } = entry;
  const what = describe(operation);
  const stale = refusal === null && isStale(entry, ticker.now());
  return (
    <li className="flex items-start gap-3 border-b border-line-1 px-2 py-3 last:border-0">
      <div className="min-w-0 flex-1">
        <p dir="auto" className="text-14 wrap-anywhere">
          {what}
        </p>
        <p className="nums text-13 text-ink-3">{fullTime(new Date(at).toISOString())}</p>
        <p className={`text-13 wrap-anywhere ${refusal === null ? 'text-ink-2' : 'text-danger'}`}>
          {noteOf(entry, stale)}
        </p>
      </div>
      {stale ? (
        <Button onClick={() => void outbox.confirm(id)} aria-label={`Send: ${what}`}>
          <Send size={15} aria-hidden />
          <span className="max-sm:sr-only">Send</span>
        </Button>
      ) : null}
      <Button
        kind="quiet"
        onClick={() => void outbox.discard(id)}
        aria-label={`${refusal === null ? 'Discard' : 'Dismiss'}: ${what}`}
      >
        <X size={16} aria-hidden />
        <span className="max-sm:sr-only">{refusal === null ? 'Discard' : 'Dismiss'}</span>
      </Button>
    </li>
  );
}

function noteOf({ attempts, refusal }: Entry, stale: boolean): string {
  if (refusal !== null) return refusal.message;
  const sent = attempts === 0 ? '' : 'It was sent before and not answered, so it may be done already.';
  return stale ? `More than a day old, so it is not sent by itself. ${sent}` : sent;
}
