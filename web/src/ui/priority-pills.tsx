// Which priorities: any number of the three.
import type { Priority } from '#core/contract/index.ts';
import { PRIORITIES, PRIORITY_LABEL } from '../lib/labels.ts';
import { PriorityMark } from './priority-mark.tsx';
import { Pills } from './pills.tsx';

interface PriorityPillsProps {
  label: string;
  hint?: string;
  chosen: readonly Priority[];
  onChange: (priorities: Priority[]) => void;
  error?: string | undefined;
  disabled?: boolean;
}

const OPTIONS = PRIORITIES.map((priority) => ({
  value: priority,
  name: PRIORITY_LABEL[priority],
  label: (
    <>
      <PriorityMark priority={priority} />
      {PRIORITY_LABEL[priority]}
    </>
  ),
}));

export function PriorityPills({ chosen, onChange, ...rest }: PriorityPillsProps) {
  return (
    <Pills
      {...rest}
      options={OPTIONS}
      chosen={chosen}
      onToggle={(value, isOn) =>
        onChange(PRIORITIES.filter((each) => (each === value ? isOn : chosen.includes(each))))
      }
    />
  );
}
