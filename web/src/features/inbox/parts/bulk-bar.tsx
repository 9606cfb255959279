// What can be done with all selected rows at once; stands where the controls were, at their height.
import { Check, ClockPlus, Pin, PinOff, X } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/hints.tsx';
import { keepLabel, labelFor, pinLabel, type Batch } from '../model/batch.ts';

interface BulkBarProps {
  batch: Batch;
  onAcknowledge: () => void;
  onPin: () => void;
  onKeepLonger: () => void;
  onClear: () => void;
}

export function BulkBar({ batch, onAcknowledge, onPin, onKeepLonger, onClear }: BulkBarProps) {
  const PinIcon = batch.pinned ? PinOff : Pin;
  return (
    <div
      role="group"
      aria-label="Selected items"
      className="flex min-w-0 flex-1 items-center justify-end gap-1 max-sm:basis-full sm:gap-2"
    >
      <p role="status" className="nums mr-auto truncate text-14 font-medium sm:mr-2">
        {batch.count} selected
      </p>
      <Button
        kind="quiet"
        onClick={onClear}
        aria-label="Clear"
        data-hint="Clear selection"
        data-keys="Esc"
        className="max-sm:w-9 max-sm:px-0"
      >
        <X size={16} aria-hidden />
        <span className="max-sm:hidden">Clear</span>
      </Button>
      <IconButton label={keepLabel(batch)} onClick={onKeepLonger} className="max-[22rem]:hidden">
        <ClockPlus size={17} aria-hidden />
      </IconButton>
      <Button
        onClick={onPin}
        aria-label={pinLabel(batch)}
        data-hint={pinLabel(batch)}
        data-keys="p"
        className="max-sm:w-9 max-sm:px-0"
      >
        <PinIcon size={16} aria-hidden />
        <span className="max-sm:hidden">{batch.pinned ? 'Unpin' : 'Pin'}</span>
      </Button>
      <Button kind="primary" onClick={onAcknowledge} data-hint={labelFor('Acknowledge', batch)} data-keys="e">
        <Check size={17} aria-hidden className="max-sm:hidden" />
        Acknowledge
      </Button>
    </div>
  );
}
