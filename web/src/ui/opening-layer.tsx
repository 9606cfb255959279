// Stands in for a dialog that is opening: catches typed text, and says when opening takes long or has failed.
// Part of the first load, for when nothing else can be fetched.
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { isComposing } from '../lib/composing.ts';
import { isOnline } from '../lib/online.ts';
import { listen } from '../lib/listen.ts';
import { Button } from './button.tsx';
import {
  cancelOpening,
  chooseLater,
  dismissFailure,
  followFocus,
  isPressedAhead,
  noteTyping,
  open,
  openingState,
  pressEnterLater,
  pressEscape,
  setCatcher,
  subscribeOpening,
  type Opening,
} from './opening.ts';
import { Spinner } from './spinner.tsx';

/** Mounted once, by the application. */
export function OpeningLayer() {
  const state = useSyncExternalStore(subscribeOpening, openingState);
  if (state.phase === 'waiting') return <Catcher key={state.attempt} opening={state.opening} />;
  if (state.phase === 'failed') return <Failure opening={state.opening} stored={state.stored} />;
  return null;
}

function Catcher({ opening: { title, field } }: { opening: Opening }) {
  const box = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const takesText = field !== 'none' && field !== 'choices';
  const takes = takesText ? text : box;

  useLayoutEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (target !== takes.current && target instanceof Element && !box.current?.contains(target))
        followFocus(target);
    };
    setCatcher(takes.current);
    const stop = listen(document, { focusin: onFocus });
    takes.current?.focus({ preventScroll: true });
    return () => {
      stop();
      setCatcher(null);
    };
  }, [takes]);

  function onKeyDown(event: KeyboardEvent) {
    noteTyping();
    if (isComposing(event.nativeEvent) || goesIntoText(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') pressEscape();
    else if (field === 'choices') chooseEarly(event);
    else if (event.key === 'Enter') pressEnterLater(event.nativeEvent);
  }

  function goesIntoText({ key, repeat, ctrlKey, metaKey }: KeyboardEvent): boolean {
    if (key === 'Escape' || key === 'Tab') return false;
    const command = ctrlKey || metaKey;
    if (key === 'Enter') return field === 'lines' && !command && !isPressedAhead();
    // The browser's own.
    if (command || /^F\d/.test(key)) return true;
    // The opening key itself, held down for long, is no text.
    const held = repeat && text.current?.value === '';
    return takesText && !held && !isPressedAhead();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={box}
      data-modal
      data-catcher
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onBlur={() => queueMicrotask(() => comeBack(box))}
      className="fixed inset-0 z-50 flex items-start justify-center outline-none max-sm:items-end sm:p-6 sm:pt-[12vh]"
    >
      <div aria-hidden className="late fixed inset-0 -z-1 bg-scrim" />
      <div className="late flex w-full max-w-lg flex-col gap-4 rounded-t-lg border border-line-1 bg-surface-1 p-5 shadow-2 sm:rounded-lg sm:p-6">
        <div className="flex items-center gap-3">
          <Spinner size="small" label="Loading" />
          <p className="min-w-0 flex-1 truncate text-16 font-semibold">{title}</p>
          <Button kind="quiet" tabIndex={-1} onClick={() => cancelOpening()} data-keys="Esc">
            Cancel
          </Button>
        </div>
        {takesText ? (
          <textarea
            ref={text}
            aria-label={title}
            rows={field === 'lines' ? 4 : 1}
            autoComplete="off"
            spellCheck={false}
            className={`w-full resize-none rounded-sm border border-line-2 bg-surface-1 px-3 py-2 text-16 outline-none ${field === 'secret' ? '[-webkit-text-security:disc]' : ''}`}
          />
        ) : null}
      </div>
    </div>
  );
}

// The opening key, held down, is for nothing; so are keys that no choice has.
function chooseEarly({ key, code, repeat, altKey }: KeyboardEvent): void {
  if (repeat || altKey) return;
  if (/^(Enter|Tab|Arrow(Up|Down)|[^ ])$/.test(key)) chooseLater({ key, code });
}

// The focus went nowhere: a press outside, or an element that is gone.
function comeBack(box: RefObject<HTMLElement | null>): void {
  const active = document.activeElement;
  if (box.current !== null && !box.current.contains(active)) followFocus(active);
}

function Failure({ opening, stored }: { opening: Opening; stored: boolean }) {
  const online = isOnline();
  useEffect(
    () =>
      listen(document, {
        keydown: ({ key }) => {
          if (key === 'Escape') dismissFailure();
        },
      }),
    [],
  );
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-4 z-60 flex justify-center px-4 sm:bottom-6">
      <div
        role="alert"
        className="pointer-events-auto flex w-full max-w-md flex-col gap-2 rounded-md border border-line-1 bg-surface-1 p-4 text-14 text-ink-1 shadow-2"
      >
        <p className="font-medium">“{opening.title}” could not be loaded.</p>
        <p className="text-ink-2">
          {online
            ? 'The server did not answer, or has a newer version: then reload the page.'
            : 'You are offline. Try again when you are back.'}
          {stored ? ' What you typed is kept.' : ''}
        </p>
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={dismissFailure}>
            Dismiss
          </Button>
          {online ? <Button onClick={() => location.reload()}>Reload</Button> : null}
          <Button kind="primary" onClick={() => void open(opening)}>
            Try again
          </Button>
        </div>
      </div>
    </div>
  );
}
