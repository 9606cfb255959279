// What can be done with all selected rows at once; stands where the controls were, at their height.
import { Check, X } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';

interface BulkBarProps {
  count: number;
  onAcknowledge: () => void;
  onClear: () => void;
}

export function BulkBar({ count, onAcknowledge, onClear }: BulkBarProps) {
  return (
    <div
      role="group"
      aria-label="Selected items"
      className="flex min-w-0 flex-1 items-center justify-end gap-2 max-sm:basis-full"
    >
      <p role="status" className="nums mr-auto truncate text-14 font-medium sm:mr-2">
        {count} selected
      </p>
      <Button kind="quiet" onClick={onClear} data-hint="Clear selection" data-keys="Esc">
        <X size={16} aria-hidden />
        Clear
      </Button>
      <Button kind="primary" onClick={onAcknowledge} data-hint="Acknowledge all selected" data-keys="e">
        <Check size={17} aria-hidden />
        Acknowledge
      </Button>
    </div>
  );
}
