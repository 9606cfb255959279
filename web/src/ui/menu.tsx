// A menu: the looks of its popup and items. Which menu, and what is in it, is up to the screen.
import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Keys } from './keys.tsx';

const ITEM =
  'flex min-h-9 cursor-default items-center gap-2.5 rounded-s px-2.5 py-1.5 text-14 text-ink-1 outline-none select-none data-disabled:opacity-50 data-highlighted:bg-surface-2';

interface MenuPopupProps {
  children: ReactNode;
  align?: 'start' | 'end';
}

export function MenuPopup({ children, align = 'end' }: MenuPopupProps) {
  return (
    <Base.Portal>
      <Base.Positioner sideOffset={6} align={align} collisionPadding={8} className="z-50 outline-none">
        <Base.Popup className="appear min-w-52 rounded-m border border-line-1 bg-surface-1 p-1.5 shadow-2 outline-none">
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  keys?: string;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, keys, disabled = false, onClick, children }: MenuItemProps) {
  return (
    <Base.Item className={ITEM} onClick={onClick} disabled={disabled}>
      {icon === undefined ? null : <span className="text-ink-3">{icon}</span>}
      <span className="flex-1">{children}</span>
      {keys === undefined ? null : <Keys keys={keys} />}
    </Base.Item>
  );
}

interface MenuChoiceProps {
  value: string;
  /** Called when the choice that is already active is chosen again, too. */
  onClick: () => void;
  children: ReactNode;
}

export function MenuChoice({ value, onClick, children }: MenuChoiceProps) {
  return (
    <Base.RadioItem value={value} className={ITEM} onClick={onClick} closeOnClick>
      <span className="flex flex-1 items-center gap-2.5">{children}</span>
      <Base.RadioItemIndicator>
        <Check size={16} className="text-accent" aria-hidden />
      </Base.RadioItemIndicator>
    </Base.RadioItem>
  );
}
