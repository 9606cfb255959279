// Which priorities: any number of the three.
import type { Priority } from '#core/contract/index.ts';
import { PRIORITIES, PRIORITY_LABEL } from '../../../../lib/labels.ts';
import { PriorityMark } from '../../../../ui/priority-mark.tsx';
import { Pills } from '../../../../ui/pills.tsx';

interface PriorityPillsProps {
  label: string;
  hint: string;
  chosen: readonly Priority[];
  onChange: (priorities: Priority[]) => void;
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

export function PriorityPills({ label, hint, chosen, onChange }: PriorityPillsProps) {
  return (
    <Pills
      label={label}
      hint={hint}
      options={OPTIONS}
      chosen={chosen}
      onToggle={(value, isOn) =>
        onChange(PRIORITIES.filter((each) => (each === value ? isOn : chosen.includes(each))))
      }
    />
  );
}
