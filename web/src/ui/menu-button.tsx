// A button that opens a menu. The code of the menu is loaded when the button is pointed at or focused.
import { useRef, useState, type ComponentProps } from 'react';
import type { MenuEntry } from './menu.tsx';
import { onDemand } from './on-demand.tsx';
import { open as openWhenReady } from './opening.ts';

const MenuLayer = onDemand(() => import('./menu.tsx'));

interface MenuButtonProps extends ComponentProps<'button'> {
  /** The menu's name for screen readers. */
  menuLabel: string;
  entries: readonly MenuEntry[];
  align?: 'start' | 'end';
}

export function MenuButton({ menuLabel, entries, align = 'end', children, ...rest }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  const warm = () => void MenuLayer.load().catch(() => undefined);

  function show(marksFirst: boolean) {
    void openWhenReady({
      title: menuLabel,
      code: MenuLayer,
      field: 'choices',
      marksFirst,
      show: () => {
        setWanted(true);
        setOpen(true);
      },
    });
  }

  return (
    <>
      <button
        type="button"
        {...rest}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={warm}
        onFocus={warm}
        // Pressed by Enter, space or a screen reader, no press of a pointer is counted.
        onClick={({ detail }) => show(detail === 0)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          show(true);
        }}
      >
        {children}
      </button>
      {wanted ? (
        <MenuLayer.Component
          anchor={button}
          open={open}
          onOpenChange={setOpen}
          label={menuLabel}
          align={align}
          entries={entries}
        />
      ) : null}
    </>
  );
}
