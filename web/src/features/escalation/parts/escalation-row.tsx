// One escalation in the list: what it is for, its steps, and what can be done with it.
import { Pause, Pencil, Play, FlaskConical, Trash2, type LucideIcon } from 'lucide-react';
import type { Escalation } from '#core/contract/index.ts';
import { Disclosure } from '../../../ui/disclosure.tsx';
import { Mark } from '../../../ui/mark.tsx';
import { RowMenu } from '../../../ui/row-menu.tsx';
import type { Receivers } from '../model/steps.ts';
import { Runs } from './runs.tsx';
import { StepsLine } from './steps-line.tsx';

export type EscalationAction = 'edit' | 'test' | 'pause' | 'resume' | 'remove';

interface EscalationRowProps {
  escalation: Escalation;
  /** What it is for. */
  scope: string;
  receivers: Receivers;
  disabled: boolean;
  /** What came of it is shown. */
  open: boolean;
  onToggle: () => void;
  onAction: (action: EscalationAction) => void;
}

export function EscalationRow(props: EscalationRowProps) {
  const { escalation, scope, receivers, disabled, open, onToggle, onAction } = props;
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
          <StepsLine steps={steps} receivers={receivers} />
        </div>
        <RowMenu name={name} disabled={disabled} entries={entriesOf(paused)} onAction={onAction} />
      </div>
      <Disclosure text="What came of it" label={`What came of it: ${name}`} open={open} onToggle={onToggle}>
        <Runs escalation={escalation} receivers={receivers} />
      </Disclosure>
    </li>
  );
}

function entriesOf(paused: boolean): [EscalationAction, string, LucideIcon][] {
  return [
    ['test', 'Test every step', FlaskConical],
    ['edit', 'Edit', Pencil],
    paused ? ['resume', 'Resume', Play] : ['pause', 'Pause', Pause],
    ['remove', 'Delete', Trash2],
  ];
}
