// Opens dialogs and menus whose code may have to be loaded. From the request until they have the focus,
// single keys are suspended and typed text is caught for the first field, so that no key acts on the page
// behind.
import { createEmitter } from '../lib/emitter.ts';
import { OPEN_MENU, OPEN_MODAL } from '../lib/shortcuts.ts';
import type { Code } from './on-demand.tsx';

export interface Opening {
  /** Its name: "Add New Item". */
  title: string;
  code: Code;
  /** What takes keys first: lines of text, one line, a secret; choices that keys walk; or `none` of these. */
  field: 'lines' | 'line' | 'secret' | 'choices' | 'none';
  /** It was asked for by a key: the first of its choices is marked, as arrow down would. */
  marksFirst?: boolean;
  /** Draws it. Called once its code is there. */
  show: () => void;
  /** Stores typed text when it does not open after all. */
  storeText?: (text: string) => void;
}

export type OpeningState =
  | { phase: 'none' }
  /** `attempt`: a number of its own. */
  | { phase: 'waiting'; opening: Opening; attempt: number }
  /** `stored`: typed text was stored. */
  | { phase: 'failed'; opening: Opening; stored: boolean };

/** An open dialog or menu that has the keys; not the catcher. */
const LAYER = `${OPEN_MODAL}:not([data-catcher]), ${OPEN_MENU}`;
const TEXT_FIELD = 'textarea, input:is(:not([type]), [type=text], [type=search], [type=password])';
/** So long it may take from drawing something to its being in the page. */
const LONGEST_DRAW_FRAMES = 30;

/** After a pause of this length in typing, the person has seen that nothing opened. */
const PAUSE_MS = 1000;

const NONE: OpeningState = { phase: 'none' };
let state: OpeningState = NONE;
let attempts = 0;
let catcher: HTMLElement | null = null;
let hadFocus: Element | null = null;
let drawn = false;
/** To be pressed again, in order. */
let pressedAhead: KeyboardEventInit[] = [];
/** Nothing that is pressed after these counts. */
let aheadEnded = false;
let typedAt = 0;
const changed = createEmitter();

export const subscribeOpening = changed.subscribe;

export function openingState(): OpeningState {
  return state;
}

/** The element that had the focus before the present request; null when nothing is opening. */
export function focusBeforeOpening(): HTMLElement | null {
  return state.phase === 'waiting' && hadFocus instanceof HTMLElement ? hadFocus : null;
}

/** Opens something as soon as its code is there. Cancels what was opening before. */
export async function open(opening: Opening): Promise<void> {
  cancelOpening();
  const mine: OpeningState = { phase: 'waiting', opening, attempt: ++attempts };
  const isMine = () => state === mine;
  // Over something that is open already no single key acts, and the focus is that one's.
  const catches = openLayer() === null;
  if (catches) {
    hadFocus = document.activeElement;
    pressedAhead = opening.marksFirst === true ? [{ key: 'ArrowDown', code: 'ArrowDown' }] : [];
    aheadEnded = false;
    drawn = false;
    noteTyping();
    set(mine);
  }
  try {
    // Where it is ready, it is drawn in the same go.
    if (!opening.code.ready()) await opening.code.load();
  } catch {
    // The rest of a text must not act on the page behind, either.
    if (catches) await pauseInTyping();
    if (!catches || isMine()) fail(opening);
    return;
  }
  if (!catches) {
    opening.show();
  } else if (isMine()) {
    drawn = true;
    opening.show();
    lookFor(isMine);
  }
}

/** Cancels what is opening, or only this one; typed text is stored where that is possible. */
export function cancelOpening(only?: Opening): void {
  if (state.phase !== 'waiting' || (only !== undefined && state.opening !== only)) return;
  const { opening } = state;
  const text = caught();
  close(NONE);
  if (text !== '') opening.storeText?.(text);
}

export function dismissFailure(): void {
  if (state.phase === 'failed') set(NONE);
}

/** The element that has the focus while something opens is there, or is gone again. */
export function setCatcher(element: HTMLElement | null): void {
  catcher = element;
}

/** Some key was pressed. */
export function noteTyping(): void {
  typedAt = Date.now();
}

/** Enter was pressed early: it is pressed again after the text was delivered; later keys are ignored. */
export function pressEnterLater({ ctrlKey, metaKey }: KeyboardEventInit): void {
  if (caught() === '' || aheadEnded) return;
  pressedAhead = [{ key: 'Enter', code: 'Enter', ctrlKey: ctrlKey ?? false, metaKey: metaKey ?? false }];
  aheadEnded = true;
}

/** A key for choices was pressed early: it is pressed again once they are there, up to the first Enter. */
export function chooseLater({ key, code }: { key: string; code: string }): void {
  if (aheadEnded) return;
  // Only a person can press Tab, and what comes after it is meant for another place.
  if (key === 'Tab') aheadEnded = true;
  else pressedAhead.push({ key, code });
  if (key === 'Enter') aheadEnded = true;
}

/** Escape: cancels, or closes what is drawn already once it has the focus. */
export function pressEscape(): void {
  if (!drawn) return cancelOpening();
  pressedAhead = [{ key: 'Escape', code: 'Escape' }];
  aheadEnded = true;
}

/** Whether something was pressed after which nothing typed counts. */
export function isPressedAhead(): boolean {
  return aheadEnded;
}

/** The focus went from the catcher to `target`: into what was opening, or elsewhere. */
export function followFocus(target: Element | null): void {
  if (state.phase !== 'waiting') return;
  if (target?.closest(LAYER)) deliver(target);
  else catcher?.focus({ preventScroll: true });
}

async function pauseInTyping(): Promise<void> {
  for (let left = PAUSE_MS; left > 0; left = typedAt + PAUSE_MS - Date.now())
    await new Promise((resolve) => setTimeout(resolve, left));
}

function deliver(target: Element): void {
  const text = caught();
  const pressed = pressedAhead;
  set(NONE);
  const field = target.matches(TEXT_FIELD) ? (target as HTMLInputElement | HTMLTextAreaElement) : null;
  if (text !== '' && field !== null) type(field, text);
  // Once the text has been taken in.
  if (pressed.length > 0) setTimeout(() => void pressAll(pressed));
}

// Each where the one before has left the focus, until one has closed what opened.
async function pressAll(keys: readonly KeyboardEventInit[]): Promise<void> {
  for (const key of keys) {
    const target = document.activeElement;
    if (target === null || target.closest(LAYER) === null) return;
    press(target, key);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function type(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  field.setRangeText(
    text,
    field.selectionStart ?? field.value.length,
    field.selectionEnd ?? field.value.length,
    'end',
  );
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }));
}

// Browsers do the default action only for real keys.
function press(target: Element, how: KeyboardEventInit): void {
  const goesOn = target.dispatchEvent(
    new KeyboardEvent('keydown', { ...how, bubbles: true, cancelable: true }),
  );
  if (!goesOn || how.key !== 'Enter') return;
  if (target instanceof HTMLInputElement) target.form?.requestSubmit();
  else if (target instanceof HTMLButtonElement) target.click();
}

// A drawn dialog may not take the focus by itself, or may not come at all.
function lookFor(isMine: () => boolean): void {
  let frames = 0;
  function look() {
    if (!isMine()) return;
    const layer = openLayer();
    frames += 1;
    if (frames < LONGEST_DRAW_FRAMES) requestAnimationFrame(look);
    else if (layer === null) close(NONE);
    else (layer.querySelector<HTMLElement>(TEXT_FIELD) ?? layer).focus();
  }
  requestAnimationFrame(look);
}

function openLayer(): HTMLElement | null {
  return document.querySelector<HTMLElement>(LAYER);
}

function caught(): string {
  return catcher instanceof HTMLTextAreaElement ? catcher.value : '';
}

function fail(opening: Opening): void {
  const text = caught();
  const stored = text !== '' && opening.storeText !== undefined;
  close({ phase: 'failed', opening, stored });
  if (stored) opening.storeText?.(text);
}

// Nothing opened: the focus goes back to where it was.
function close(next: OpeningState): void {
  const back = state.phase === 'waiting' ? hadFocus : null;
  set(next);
  if (back instanceof HTMLElement && back.isConnected) back.focus({ preventScroll: true });
}

function set(next: OpeningState): void {
  state = next;
  if (next.phase !== 'waiting') hadFocus = null;
  changed.emit();
}
