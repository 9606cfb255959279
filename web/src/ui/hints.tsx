// Tooltips for the whole page from one layer: elements with `data-hint` (and `data-keys`) show it when
// hovered or focused. A hint repeats a name or adds a detail; it is never the only place of a text.
import { useEffect, useLayoutEffect, useRef, useState, type ComponentProps } from 'react';
import { listen } from '../lib/listen.ts';
import { Keys } from './keys.tsx';

const DELAY_MS = 450;
/** After one hint was shown, the next comes at once for this long. */
const WARM_MS = 300;
const GAP_PX = 6;

interface Shown {
  target: Element;
  text: string;
  keys: string | null;
}

/** Mounted once, by the application. */
export function HintLayer() {
  const [shown, setShown] = useState<Shown | null>(null);
  const popup = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: Element | null = null;
    let hiddenAt = 0;

    function hide() {
      clearTimeout(timer);
      if (current !== null) hiddenAt = Date.now();
      current = null;
      setShown(null);
    }
    function show(target: Element, delay: number) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const text = target.getAttribute('data-hint');
        if (!target.isConnected || text === null || target.getAttribute('aria-expanded') === 'true') return;
        current = target;
        setShown({ target, text, keys: target.getAttribute('data-keys') });
      }, delay);
    }
    function onOver(event: PointerEvent) {
      if (event.pointerType === 'touch' || !(event.target instanceof Element)) return;
      if (popup.current?.contains(event.target)) return;
      const target = event.target.closest('[data-hint]');
      if (target === null) return hide();
      if (target !== current)
        show(target, Date.now() - hiddenAt < WARM_MS || current !== null ? 0 : DELAY_MS);
    }
    function onFocus(event: FocusEvent) {
      const target = event.target instanceof Element ? event.target : null;
      if (target?.hasAttribute('data-hint') && target.matches(':focus-visible')) show(target, 0);
      else hide();
    }
    function onKey(event: KeyboardEvent) {
      if (event.key === 'Escape' && current !== null) hide();
    }
    const stops = [
      listen(document, {
        pointerover: onOver,
        pointerdown: hide,
        focusin: onFocus,
        focusout: hide,
        keydown: onKey,
      }),
      listen(window, { scroll: hide }, { passive: true, capture: true }),
      () => clearTimeout(timer),
    ];
    return () => stops.forEach((stop) => stop());
  }, []);

  useLayoutEffect(() => {
    if (shown !== null && popup.current !== null) place(popup.current, shown.target);
  }, [shown]);

  if (shown === null) return null;
  return (
    <div
      ref={popup}
      aria-hidden
      className="fixed top-0 left-0 z-60 flex max-w-80 items-center gap-2 rounded-sm bg-ink-1 px-2 py-1 text-13 text-surface-1"
    >
      {shown.text}
      {shown.keys === null ? null : <Keys keys={shown.keys} inverted />}
    </div>
  );
}

// Above its target where there is room, else below; never beyond the page's sides.
function place(popup: HTMLElement, target: Element): void {
  const at = target.getBoundingClientRect();
  const { width, height } = popup.getBoundingClientRect();
  const middle = at.left + at.width / 2 - width / 2;
  const left = Math.max(8, Math.min(middle, document.documentElement.clientWidth - width - 8));
  const above = at.top - height - GAP_PX;
  const top = above < 8 ? at.bottom + GAP_PX : above;
  popup.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

interface IconButtonProps extends ComponentProps<'button'> {
  label: string;
  keys?: string | undefined;
  /** 32 px instead of 36 px. */
  small?: boolean;
}

/** A button that is only an icon: its label is its name and its hint. */
export function IconButton({ label, keys, small = false, className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      data-hint={label}
      data-keys={keys}
      className={`inline-flex shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors enabled:hover:bg-surface-3 enabled:hover:text-ink-1 disabled:opacity-50 aria-expanded:bg-surface-3 ${small ? 'size-8' : 'size-9'} ${className}`}
      {...rest}
    />
  );
}
