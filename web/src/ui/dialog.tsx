// A modal dialog: titled, focus kept inside and given back, Escape and the scrim close it unless it is busy.
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { focusBeforeOpening } from './opening.ts';

const WIDTH = { sm: 'max-w-sm', md: 'max-w-md', lg: 'max-w-lg', xl: 'max-w-xl', '2xl': 'max-w-2xl' };

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** While something is being saved it cannot be closed. */
  busy?: boolean;
  size?: keyof typeof WIDTH;
  /** It interrupts with a question. */
  alert?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

export function Dialog({
  open,
  onClose,
  title,
  description,
  busy = false,
  size = 'lg',
  alert = false,
  initialFocus,
  children,
}: DialogProps) {
  // What caught the keys meanwhile is gone by the time the focus is given back.
  const hadFocus = useRef<HTMLElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (open) hadFocus.current = focusBeforeOpening();
  }, [open]);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 flex items-start justify-center overflow-y-auto max-sm:pt-6 sm:p-6 sm:pt-[12vh]">
          <Base.Popup
            data-modal
            finalFocus={() => (hadFocus.current?.isConnected === true ? hadFocus.current : true)}
            {...(alert ? { role: 'alertdialog' } : {})}
            ref={popup}
            // Where there is nothing to fill in, no button: a space that was typed ahead must not press it.
            initialFocus={initialFocus ?? popup}
            className={`relative outline-none w-full ${WIDTH[size]} rounded-t-lg max-sm:mt-auto border border-line-1 bg-surface-1 p-5 shadow-2 transition-[opacity,transform] duration-200 ease-out data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 sm:rounded-lg sm:p-6`}
          >
            <div className="mb-4 flex items-start justify-between gap-4">
              <div className="min-w-0">
                <Base.Title className="text-20 font-semibold text-balance">{title}</Base.Title>
                {description === undefined ? null : (
                  <Base.Description render={<div />} className="mt-1 text-14 text-ink-2">
                    {description}
                  </Base.Description>
                )}
              </div>
              <Base.Close
                aria-label="Close"
                disabled={busy}
                className="-mt-1 -mr-2 inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-2 hover:text-ink-1 disabled:opacity-50"
              >
                <X size={18} aria-hidden />
              </Base.Close>
            </div>
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
