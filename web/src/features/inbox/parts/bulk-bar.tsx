// The commands for all selected rows at once. Stands where the controls were, at their height.
import { X } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/hints.tsx';
import { ACKNOWLEDGE, KEEP_LONGER, labelOf, PIN, type InboxCommand } from '../model/commands.ts';
import type { Inbox } from '../screen/use-inbox.ts';
import { CommandIcon } from './command-icon.tsx';

export function BulkBar({ inbox: { actions, rows } }: { inbox: Inbox }) {
  const { batch } = rows.selected;
  const run = (command: InboxCommand) => command.run(actions, rows.selectedTasks);
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
        onClick={rows.selection.clear}
        aria-label="Clear"
        data-hint="Clear selection"
        data-keys="Esc"
        className="max-sm:w-9 max-sm:px-0"
      >
        <X size={16} aria-hidden />
        <span className="max-sm:hidden">Clear</span>
      </Button>
      <IconButton
        label={labelOf(KEEP_LONGER, batch)}
        onClick={() => run(KEEP_LONGER)}
        className="max-[22rem]:hidden"
      >
        <CommandIcon command={KEEP_LONGER} batch={batch} size={17} />
      </IconButton>
      <Button
        onClick={() => run(PIN)}
        aria-label={labelOf(PIN, batch)}
        data-hint={labelOf(PIN, batch)}
        data-keys={PIN.keys}
        className="max-sm:w-9 max-sm:px-0"
      >
        <CommandIcon command={PIN} batch={batch} size={16} />
        <span className="max-sm:hidden">{batch.pinned ? 'Unpin' : 'Pin'}</span>
      </Button>
      <Button
        kind="primary"
        onClick={() => run(ACKNOWLEDGE)}
        data-hint={labelOf(ACKNOWLEDGE, batch)}
        data-keys={ACKNOWLEDGE.keys}
      >
        <CommandIcon command={ACKNOWLEDGE} batch={batch} size={17} className="max-sm:hidden" />
        Acknowledge
      </Button>
    </div>
  );
}
