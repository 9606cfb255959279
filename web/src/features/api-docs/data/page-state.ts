// What the reader has chosen on this page: in memory alone, never stored, and gone with the page.
import { useSyncExternalStore } from 'react';
import type { Scope } from '#core/contract/index.ts';
import { createEmitter } from '../../../lib/emitter.ts';
import { maskKey } from '../../../lib/key-mask.ts';
import { PLACEHOLDER_KEY } from '../../../lib/quick-curl.ts';
import type { Language } from '../model/code.ts';

/** The reader's own key, which the commands of the page show. */
export interface OwnKey {
  key: string;
  /** What was made here; null where the key was pasted. */
  made: { id: string; name: string; scopes: readonly Scope[] } | null;
}

interface PageState {
  ownKey: OwnKey | null;
  /** Whether the key is shown; masked else. */
  isRevealed: boolean;
  language: Language;
  /** Of the task that an answer told of last; empty before. */
  taskId: string;
}

const AT_FIRST: PageState = { ownKey: null, isRevealed: false, language: 'curl', taskId: '' };

const changed = createEmitter();
let state = AT_FIRST;

export function usePageState(): PageState {
  return useSyncExternalStore(
    changed.subscribe,
    () => state,
    () => AT_FIRST,
  );
}

export function updatePage(changes: Partial<PageState>): void {
  state = { ...state, ...changes };
  changed.emit();
}

/** When the page is left, or someone signs in or out. */
export function forgetPage(): void {
  updatePage(AT_FIRST);
}

/** The reader's own key, or `standIn`: as it is shown, and as it is copied. */
export function useShownKey(standIn = PLACEHOLDER_KEY): { shown: string; whole: string } {
  const { ownKey, isRevealed } = usePageState();
  const whole = ownKey?.key ?? standIn;
  return { whole, shown: ownKey === null || isRevealed ? whole : maskKey(whole) };
}
