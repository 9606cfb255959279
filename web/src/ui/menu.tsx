// The popup of a menu, drawn from a plain list of entries. Loaded when the first menu is about to open.
import { Menu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { useRef, type ReactNode, type RefObject } from 'react';
import { useCloseRequest } from './close-request.ts';
import { KeyHint } from './keys.tsx';

interface Command {
  /** Where labels may be the same. */
  id?: string;
  label: string;
  icon?: ReactNode;
  keys?: string | undefined;
  onSelect: () => void;
}

export type MenuEntry =
  | { kind: 'note'; label: string }
  | (Command & { kind: 'item'; disabled?: boolean })
  /** One of several; choosing the active one again calls `onSelect`, too. */
  | (Command & { kind: 'choice'; active: boolean });

const ITEM =
  'flex min-h-9 touch:min-h-11 cursor-default items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-14 text-ink-1 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-surface-2';

/** Screen readers that go by landmarks find the menu where its button is. */
function landmarkAround(anchor: HTMLElement | null): HTMLElement | null {
  return anchor?.closest<HTMLElement>('[role=dialog], aside, main, header, footer, nav') ?? null;
}

interface MenuLayerProps {
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  label: string;
  align: 'start' | 'end';
  entries: readonly MenuEntry[];
}

export default function MenuLayer({ anchor, open, onOpenChange, label, align, entries }: MenuLayerProps) {
  const popup = useRef<HTMLDivElement>(null);
  useCloseRequest(open, () => onOpenChange(false));
  const chosen = entries.find((entry) => entry.kind === 'choice' && entry.active);

  /** Where a command did not take the focus elsewhere, such as into a dialog. */
  function focusAfterwards(): HTMLElement | null | false {
    const { activeElement } = document;
    const isLost = activeElement === document.body || popup.current?.contains(activeElement) === true;
    return isLost && anchor.current;
  }

  /** Once the press has focused the entry: a dialog gives the focus back to the button, which has it then. */
  function choose(entry: Command): void {
    queueMicrotask(() => {
      anchor.current?.focus({ preventScroll: true });
      entry.onSelect();
    });
  }

  return (
    <Menu.Root open={open} onOpenChange={onOpenChange}>
      <Menu.Portal container={landmarkAround(anchor.current)} className="contents">
        <Menu.Positioner
          anchor={anchor}
          sideOffset={6}
          align={align}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Menu.Popup
            aria-label={label}
            ref={popup}
            finalFocus={focusAfterwards}
            className="appear max-h-(--available-height) max-w-[calc(100vw-1rem)] min-w-[min(13rem,calc(100vw-1rem))] overflow-y-auto overscroll-contain rounded-md border border-line-1 bg-surface-1 p-1.5 shadow-2 outline-none"
          >
            <Menu.RadioGroup value={chosen?.kind === 'choice' ? chosen.label : null}>
              {entries.map((entry) => (
                <Entry
                  key={'id' in entry && entry.id !== undefined ? entry.id : entry.label}
                  entry={entry}
                  onChoose={choose}
                />
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

interface EntryProps {
  entry: MenuEntry;
  onChoose: (entry: Command) => void;
}

function Entry({ entry, onChoose }: EntryProps) {
  if (entry.kind === 'note')
    return <p className="max-w-64 truncate px-2.5 py-1.5 text-13 text-ink-3">{entry.label}</p>;
  if (entry.kind === 'choice') {
    return (
      <Menu.RadioItem value={entry.label} className={ITEM} onClick={() => onChoose(entry)} closeOnClick>
        {entry.icon}
        <span className="flex-1">{entry.label}</span>
        <KeyHint keys={entry.keys} />
        <span className="w-4">
          <Menu.RadioItemIndicator>
            <Check size={16} className="text-accent" aria-hidden />
          </Menu.RadioItemIndicator>
        </span>
      </Menu.RadioItem>
    );
  }
  return (
    <Menu.Item className={ITEM} onClick={() => onChoose(entry)} disabled={entry.disabled ?? false}>
      {entry.icon === undefined ? null : <span className="text-ink-3">{entry.icon}</span>}
      <span className="flex-1">{entry.label}</span>
      <KeyHint keys={entry.keys} />
    </Menu.Item>
  );
}
