// One escalation in the list: what it is for, its steps, and what can be done with it.
import {
  ChevronRight,
  Ellipsis,
  Pause,
  Pencil,
  Play,
  FlaskConical,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { useId } from 'react';
import type { Escalation, Webhook } from '#core/contract/index.ts';
import { Button } from '../../../ui/button.tsx';
import { Mark } from '../../../ui/mark.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { Runs } from './runs.tsx';
import { StepsLine } from './steps-line.tsx';

export type EscalationAction = 'edit' | 'test' | 'pause' | 'resume' | 'remove';

interface EscalationRowProps {
  escalation: Escalation;
  /** What it is for. */
  scope: string;
  webhooks: readonly Webhook[];
  disabled: boolean;
  /** What came of it is shown. */
  open: boolean;
  onToggle: () => void;
  onAction: (action: EscalationAction) => void;
}

export function EscalationRow(props: EscalationRowProps) {
  const { escalation, scope, webhooks, disabled, open, onToggle, onAction } = props;
  const id = useId();
  const { name, paused, steps } = escalation;
  return (
    <li className="py-3">
      <div className="flex items-start gap-x-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-14">
            <span className="font-medium wrap-anywhere">{name}</span>
            {paused ? <Mark text="Paused" className="bg-surface-3 text-ink-2" /> : null}
          </p>
          <p className="mt-0.5 mb-1.5 text-13 wrap-anywhere text-ink-3">{scope}</p>
          <StepsLine steps={steps} webhooks={webhooks} />
        </div>
        <MenuButton
          menuLabel={`Actions for ${name}`}
          aria-label={`Actions for ${name}`}
          disabled={disabled}
          entries={entriesOf(paused, onAction)}
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
        aria-label={`What came of it: ${name}`}
        onClick={onToggle}
      >
        <ChevronRight size={15} aria-hidden className={`transition-transform ${open ? 'rotate-90' : ''}`} />
        What came of it
      </Button>
      <div id={id} hidden={!open}>
        {open ? <Runs escalation={escalation} webhooks={webhooks} /> : null}
      </div>
    </li>
  );
}

function entriesOf(paused: boolean, onAction: (action: EscalationAction) => void): MenuEntry[] {
  const entry = (action: EscalationAction, label: string, Icon: LucideIcon): MenuEntry => ({
    kind: 'item',
    label,
    icon: <Icon size={16} aria-hidden />,
    onSelect: () => onAction(action),
  });
  return [
    entry('test', 'Test every step', FlaskConical),
    entry('edit', 'Edit', Pencil),
    paused ? entry('resume', 'Resume', Play) : entry('pause', 'Pause', Pause),
    entry('remove', 'Delete', Trash2),
  ];
}
