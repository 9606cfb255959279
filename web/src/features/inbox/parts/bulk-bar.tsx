// The commands for all selected rows at once. Stands where the controls were, at their height.
import { Ellipsis, ListChecks, X } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/hints.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import {
  ACKNOWLEDGE,
  INVERT,
  KEEP_LONGER,
  labelOf,
  PIN,
  PRIORITY_COMMANDS,
  SELECT_ALL,
  SNOOZE,
  TAGS,
  type InboxCommand,
} from '../model/commands.ts';
import type { Inbox } from '../screen/use-inbox.ts';
import { CommandIcon } from './command-icon.tsx';

export function BulkBar({ inbox: { actions, rows, queue } }: { inbox: Inbox }) {
  const { batch } = rows.selected;
  const { selection } = rows;
  const run = (command: InboxCommand) => command.run(actions, rows.selectedTasks);
  const entry = (command: InboxCommand): MenuEntry => ({
    kind: 'item',
    label: labelOf(command, batch),
    keys: command.keys,
    onSelect: () => run(command),
  });
  const total = Math.max(queue.view.total, batch.count);
  return (
    <div
      role="group"
      aria-label="Selected items"
      className="flex min-w-0 flex-1 items-center justify-end gap-0.5 max-sm:basis-full sm:min-w-96 sm:gap-2"
    >
      <p role="status" className="nums shrink-0 text-14 font-medium">
        <span className="max-sm:sr-only">
          {selection.isLoading ? `Selecting ${total} …` : `${batch.count} selected`}
        </span>
        <span aria-hidden className="sm:hidden">
          {selection.isLoading ? '…' : batch.count}
        </span>
      </p>
      {batch.count < total && !selection.isLoading ? (
        <Button
          kind="quiet"
          onClick={actions.selectAll}
          data-hint="Select all"
          data-keys={SELECT_ALL.keys}
          className="nums px-1.5! text-accent! sm:@max-[37rem]:hidden touch:h-11"
        >
          <ListChecks size={16} aria-hidden className="max-sm:hidden" />
          All {total}
        </Button>
      ) : null}
      <span className="flex-1" />
      <Button
        kind="quiet"
        onClick={selection.clear}
        aria-label="Clear"
        data-hint="Clear selection"
        data-keys="Esc"
        className="w-9 px-0! touch:size-11"
      >
        <X size={16} aria-hidden />
      </Button>
      {[SNOOZE, KEEP_LONGER, TAGS].map((command) => (
        <IconButton
          key={command.id}
          label={labelOf(command, batch)}
          keys={command.keys}
          onClick={() => run(command)}
          className="@max-[49rem]:hidden touch:size-11"
        >
          <CommandIcon command={command} batch={batch} size={17} />
        </IconButton>
      ))}
      <MenuButton
        menuLabel="More for the selected items"
        aria-label="More for the selected items"
        entries={[...PRIORITY_COMMANDS, PIN, SNOOZE, KEEP_LONGER, TAGS, SELECT_ALL, INVERT].map(entry)}
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-ink-2 hover:bg-surface-3 hover:text-ink-1 aria-expanded:bg-surface-3 touch:size-11"
      >
        <Ellipsis size={18} aria-hidden />
      </MenuButton>
      <Button
        onClick={() => run(PIN)}
        aria-label={labelOf(PIN, batch)}
        data-hint={labelOf(PIN, batch)}
        data-keys={PIN.keys}
        className="@max-[49rem]:w-9 @max-[49rem]:px-0 max-[22rem]:hidden touch:h-11 touch:@max-[49rem]:w-11"
      >
        <CommandIcon command={PIN} batch={batch} size={16} />
        <span className="@max-[49rem]:hidden">{batch.pinned ? 'Unpin' : 'Pin'}</span>
      </Button>
      <Button
        kind="primary"
        onClick={() => run(ACKNOWLEDGE)}
        data-hint={labelOf(ACKNOWLEDGE, batch)}
        data-keys={ACKNOWLEDGE.keys}
        className="touch:h-11"
      >
        <CommandIcon command={ACKNOWLEDGE} batch={batch} size={17} className="max-sm:hidden" />
        Acknowledge
      </Button>
    </div>
  );
}
