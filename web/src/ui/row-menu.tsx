// The menu at the end of a row in a list of settings: what can be done with what the row shows.
import { Ellipsis, type LucideIcon } from 'lucide-react';
import type { MenuEntry } from './menu.tsx';
import { MenuButton } from './menu-button.tsx';

interface RowMenuProps<Action> {
  /** What the row shows, by its name. */
  name: string;
  disabled: boolean;
  entries: readonly (readonly [action: Action, label: string, Icon: LucideIcon])[];
  onAction: (action: Action) => void;
}

export function RowMenu<Action>({ name, disabled, entries, onAction }: RowMenuProps<Action>) {
  return (
    <MenuButton
      menuLabel={`Actions for ${name}`}
      aria-label={`Actions for ${name}`}
      disabled={disabled}
      entries={entries.map(([action, label, Icon]): MenuEntry => ({
        kind: 'item',
        label,
        icon: <Icon size={16} aria-hidden />,
        onSelect: () => onAction(action),
      }))}
      className="inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-2 hover:text-ink-1 aria-expanded:bg-surface-2 touch:size-11"
    >
      <Ellipsis size={18} aria-hidden />
    </MenuButton>
  );
}
