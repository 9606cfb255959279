// One webhook in the list: how it stands, what it is told, and what can be done with it.
import { KeyRound, Pause, Pencil, Play, Send, Trash2, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { Webhook } from '#core/contract/index.ts';
import { firstLine } from '../../../lib/text.ts';
import { fullTime } from '../../../lib/time.ts';
import { Disclosure } from '../../../ui/disclosure.tsx';
import { Mark } from '../../../ui/mark.tsx';
import { RowMenu } from '../../../ui/row-menu.tsx';
import { ShowAll } from '../../../ui/show-all.tsx';
import { summaryOf } from '../model/draft.ts';
import { Deliveries } from './deliveries.tsx';

export type WebhookAction = 'edit' | 'test' | 'pause' | 'resume' | 'rotate' | 'remove';

interface WebhookRowProps {
  webhook: Webhook;
  disabled: boolean;
  /** Its deliveries are shown. */
  open: boolean;
  onToggle: () => void;
  onAction: (action: WebhookAction) => void;
}

export function WebhookRow({ webhook, disabled, open, onToggle, onAction }: WebhookRowProps) {
  const { name, url, paused, off, failingSince, lastDeliveredAt, previousSecretUntil } = webhook;
  return (
    <li className="py-3">
      <div className="flex items-start gap-x-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-14">
            <span className="font-medium wrap-anywhere">{name}</span>
            {off === null ? null : <Mark text="Switched off" className="bg-danger-soft text-danger" />}
            {off === null && paused ? <Mark text="Paused" className="bg-surface-3 text-ink-2" /> : null}
            {off === null && !paused && failingSince !== null ? (
              <Mark text="Failing" className="bg-warn-soft text-warn" />
            ) : null}
          </p>
          <Address url={url} />
          {off === null ? null : <p className="mt-1 text-13 text-ink-1">{off.reason}</p>}
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-13 wrap-anywhere text-ink-3">
            <span>{summaryOf(webhook)}</span>
            <span>
              {lastDeliveredAt === null
                ? 'Nothing delivered yet'
                : `Last delivered ${fullTime(lastDeliveredAt)}`}
            </span>
            {failingSince === null ? null : <span>Failing since {fullTime(failingSince)}</span>}
            {previousSecretUntil === null ? null : (
              <span>The former secret signs until {fullTime(previousSecretUntil)}</span>
            )}
          </p>
        </div>
        <RowMenu name={name} disabled={disabled} entries={entriesOf(webhook)} onAction={onAction} />
      </div>
      <Disclosure text="Deliveries" label={`Deliveries to ${name}`} open={open} onToggle={onToggle}>
        <Deliveries webhook={webhook} />
      </Disclosure>
    </li>
  );
}

/** A longer address fills a small screen: its end is shown on demand. */
const LONGEST_ADDRESS = 120;

function Address({ url }: { url: string }) {
  const [whole, setWhole] = useState(false);
  const isLong = url.length > LONGEST_ADDRESS;
  return (
    <>
      <p translate="no" className="mt-0.5 font-mono text-13 wrap-anywhere text-ink-2">
        {isLong && !whole ? firstLine(url, LONGEST_ADDRESS) : url}
      </p>
      {isLong ? (
        <ShowAll
          text="Show all of the address"
          open={whole}
          onToggle={() => setWhole(!whole)}
          className="touch:-my-2"
        />
      ) : null}
    </>
  );
}

function entriesOf({ paused, off }: Webhook): [WebhookAction, string, LucideIcon][] {
  return [
    ['test', 'Send a test', Send],
    ['edit', 'Edit', Pencil],
    off !== null
      ? ['resume', 'Switch on again', Play]
      : paused
        ? ['resume', 'Resume', Play]
        : ['pause', 'Pause', Pause],
    ['rotate', 'New secret', KeyRound],
    ['remove', 'Delete', Trash2],
  ];
}
