// One webhook in the list: how it stands, what it is told, and what can be done with it.
import {
  ChevronRight,
  Ellipsis,
  KeyRound,
  Pause,
  Pencil,
  Play,
  Send,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { useId } from 'react';
import type { Webhook } from '#core/contract/index.ts';
import { fullTime } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Mark } from '../../../ui/mark.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
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
  const id = useId();
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
          <p className="mt-0.5 font-mono text-13 wrap-anywhere text-ink-2">{url}</p>
          {off === null ? null : <p className="mt-1 text-13 text-ink-1">{off.reason}</p>}
          <p className="mt-0.5 flex flex-wrap gap-x-3 text-13 text-ink-3">
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
        <MenuButton
          menuLabel={`Actions for ${name}`}
          aria-label={`Actions for ${name}`}
          disabled={disabled}
          entries={entriesOf(webhook, onAction)}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-2 hover:text-ink-1 aria-expanded:bg-surface-2 touch:size-11"
        >
          <Ellipsis size={18} aria-hidden />
        </MenuButton>
      </div>
      <Button
        kind="quiet"
        className="mt-1 -ml-2.5 px-2.5"
        aria-expanded={open}
        aria-controls={id}
        aria-label={`Deliveries to ${name}`}
        onClick={onToggle}
      >
        <ChevronRight size={15} aria-hidden className={`transition-transform ${open ? 'rotate-90' : ''}`} />
        Deliveries
      </Button>
      <div id={id} hidden={!open}>
        {open ? <Deliveries webhook={webhook} /> : null}
      </div>
    </li>
  );
}

function entriesOf({ paused, off }: Webhook, onAction: (action: WebhookAction) => void): MenuEntry[] {
  const entry = (action: WebhookAction, label: string, Icon: LucideIcon): MenuEntry => ({
    kind: 'item',
    label,
    icon: <Icon size={16} aria-hidden />,
    onSelect: () => onAction(action),
  });
  return [
    entry('test', 'Send a test', Send),
    entry('edit', 'Edit', Pencil),
    off !== null
      ? entry('resume', 'Switch on again', Play)
      : paused
        ? entry('resume', 'Resume', Play)
        : entry('pause', 'Pause', Pause),
    entry('rotate', 'New secret', KeyRound),
    entry('remove', 'Delete', Trash2),
  ];
}
