// What the button of the user menu looks like, for the menu itself and for the place that is kept for it.
import { ChevronDown } from 'lucide-react';

export const USER_MENU =
  'inline-flex h-9 touch:h-11 max-w-60 min-w-9 touch:min-w-11 touch:justify-center items-center gap-2 rounded-sm pr-1.5 pl-1 text-14 text-ink-2 transition-colors hover:bg-surface-2 hover:text-ink-1 aria-expanded:bg-surface-2';

export function UserMenuFace({ label }: { label: string }) {
  return (
    <>
      <span
        aria-hidden
        className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-13 font-semibold text-accent uppercase"
      >
        {label.charAt(0)}
      </span>
      <span className="sr-only">User menu{label === '' ? '' : `: ${label}`}</span>
      <span aria-hidden className="min-w-0 truncate max-lg:hidden">
        {label}
      </span>
      <ChevronDown size={14} aria-hidden className="shrink-0 max-[24rem]:hidden" />
    </>
  );
}
