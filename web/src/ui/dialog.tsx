// Modal dialogs: they hold the focus and give it back; Escape and the scrim close them unless they are busy.
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useCloseByBack } from './close-by-back.ts';
import { afterRemoved, disabledFocus, expectFocus, focused } from './focus-return.ts';
import { focusBeforeOpening } from './opening.ts';

const WIDTH = { sm: 'max-w-sm', md: 'max-w-md', lg: 'max-w-lg', xl: 'max-w-xl', '2xl': 'max-w-2xl' };

interface ModalProps {
  open: boolean;
  onClose: () => void;
  /** The name of a modal without a title. */
  label?: string;
  /** While something is being saved it cannot be closed. */
  busy?: boolean;
  /** It interrupts with a question. */
  alert?: boolean;
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** Whether the focus goes back to where it was; asked when it closes. */
  givesFocusBack?: () => boolean;
  className: string;
  children: ReactNode;
}

/** The frame of every modal. */
export function Modal({
  open,
  onClose,
  label,
  busy = false,
  alert = false,
  initialFocus,
  givesFocusBack = () => true,
  className,
  children,
}: ModalProps) {
  // What caught keys while this opened is gone when the focus is given back; a button that fetched what is
  // shown was disabled.
  const hadFocus = useRef<HTMLElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (open) hadFocus.current = focusBeforeOpening() ?? disabledFocus() ?? focused();
  }, [open]);

  function finalFocus() {
    if (!givesFocusBack()) return false;
    // While it faded out, a key may have moved the focus, or opened something else.
    const now = focused();
    if (now !== null && popup.current?.contains(now) !== true) return false;
    const before = hadFocus.current;
    // Nothing had it: the first thing on the page, where it would go, is a link that appears over the brand.
    if (before === null || before === document.body) return false;
    const back = afterRemoved(before) ?? before;
    if (!back.isConnected) return true;
    if (back === before) expectFocus(before);
    if (back.tabIndex >= 0) return back;
    // Not by returning it: what Tab does not reach, such as a row or the content of the page, would not have
    // the focus, but the first button inside.
    back.focus({ preventScroll: true });
    return false;
  }

  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 flex items-start justify-center overflow-y-auto max-sm:pt-6 max-sm:in-[body:has([data-notice])]:pt-24 sm:p-6 sm:pt-[12vh]">
          <Base.Popup
            data-modal
            aria-label={label}
            finalFocus={finalFocus}
            {...(alert ? { role: 'alertdialog' } : {})}
            ref={popup}
            // Where there is no field, no button gets the focus: a space that was typed ahead must not press
            // it.
            initialFocus={initialFocus ?? popup}
            className={`relative w-full border border-line-1 bg-surface-1 shadow-2 outline-none transition-[opacity,transform] duration-200 ease-out data-ending-style:translate-y-2 data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0 ${className}`}
          >
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

interface DialogProps extends Omit<ModalProps, 'label' | 'className' | 'givesFocusBack'> {
  title: string;
  description?: ReactNode;
  size?: keyof typeof WIDTH;
  /** Whether Back closes it, as Escape does. False from the moment on when it ends in leaving the page. */
  closesByBack?: boolean;
}

/** A modal with a title and a button that closes it. */
export function Dialog({
  title,
  description,
  size = 'lg',
  busy = false,
  closesByBack = true,
  children,
  ...rest
}: DialogProps) {
  useCloseByBack(closesByBack && rest.open, rest.onClose, busy);
  return (
    <Modal
      {...rest}
      busy={busy}
      className={`${WIDTH[size]} rounded-t-lg p-5 max-sm:mt-auto sm:rounded-lg sm:p-6`}
    >
      <div className="mb-4 flex items-start justify-between gap-4">
        <div className="min-w-0 wrap-anywhere">
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
          className="-mt-1 -mr-2 inline-flex size-9 touch:size-11 shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-2 hover:text-ink-1 disabled:opacity-50"
        >
          <X size={18} aria-hidden />
        </Base.Close>
      </div>
      {children}
    </Modal>
  );
}
