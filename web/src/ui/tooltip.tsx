// One tooltip for the whole page: any number of triggers hand it their text.
import { Tooltip } from '@base-ui/react/tooltip';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { Keys } from './keys.tsx';

interface Hint {
  text: ReactNode;
  keys?: string | undefined;
}

const handle = Tooltip.createHandle<Hint>();

interface HintedProps extends Hint {
  /** The element that has the hint; it must take a ref and props. */
  children: ReactElement;
}

/** Shows `text` (and a key) when its child is hovered or focused. Never the only place where something is said. */
export function Hinted({ text, keys, children }: HintedProps) {
  return <Tooltip.Trigger handle={handle} payload={{ text, keys }} render={children} />;
}

/** Mounted once, by the application. */
export function TooltipLayer() {
  return (
    <Tooltip.Provider delay={450} timeout={300}>
      <Tooltip.Root handle={handle}>
        {({ payload }) => (
          <Tooltip.Portal>
            <Tooltip.Positioner sideOffset={6} className="z-60">
              <Tooltip.Popup className="appear max-w-72 rounded-s bg-ink-1 px-2 py-1 text-13 text-surface-1 data-instant:transition-none">
                <span className="flex items-center gap-2">
                  {payload?.text}
                  {payload?.keys === undefined ? null : <Keys keys={payload.keys} inverted />}
                </span>
              </Tooltip.Popup>
            </Tooltip.Positioner>
          </Tooltip.Portal>
        )}
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  label: string;
  keys?: string;
  /** Sits on text, 32 px instead of 36 px. */
  small?: boolean;
}

/** A button that is only an icon: its label is its name and its tooltip. */
export function IconButton({ label, keys, small = false, className = '', ...rest }: IconButtonProps) {
  return (
    <Hinted text={label} keys={keys}>
      <button
        type="button"
        aria-label={label}
        className={`inline-flex shrink-0 items-center justify-center rounded-s text-ink-2 transition-colors enabled:hover:bg-surface-3 enabled:hover:text-ink-1 disabled:opacity-50 data-popup-open:bg-surface-3 ${small ? 'size-8' : 'size-9'} ${className}`}
        {...rest}
      />
    </Hinted>
  );
}
