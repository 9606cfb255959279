// A list with a field that finds entries by what is typed, where there are many of them.
import { Search } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { isComposing } from '../lib/composing.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { INPUT } from './field.tsx';

/** So many are found by looking. */
export const FEW = 10;

interface FindableProps<T> {
  items: readonly T[];
  /** What an entry is found by: all the words that are typed. */
  textOf: (item: T) => string;
  /** The name of the field: "Find an intake". */
  label: string;
  /** Enter: opens the first of those that are found. */
  onOpen?: (item: T) => void;
  /** Draws those that are found, at least one. */
  children: (found: readonly T[]) => ReactNode;
}

export function Findable<T>({ items, textOf, label, onOpen, children }: FindableProps<T>) {
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({
    '/': () => {
      field.current?.focus();
      return field.current !== null;
    },
  });
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  // Once something is typed, the field stays, however few are left.
  if (items.length <= FEW && words.length === 0) return children(items);
  const found = items.filter((item) => {
    const text = textOf(item).toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const [first] = found;

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Enter') {
      // The list may be a part of a form, which Enter would send.
      event.preventDefault();
      if (words.length > 0 && first !== undefined) onOpen?.(first);
    } else if (event.key === 'Escape' && typed !== '') {
      // It empties the field, and leaves open the dialog that the list may be in.
      event.stopPropagation();
      setTyped('');
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <div role="search" className="relative">
        <Search
          size={16}
          aria-hidden
          className="pointer-events-none absolute inset-y-0 left-3 my-auto text-ink-3"
        />
        <input
          ref={field}
          type="search"
          aria-label={label}
          data-keys="/"
          placeholder={label}
          value={typed}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          className={`${INPUT} h-9 pl-9 text-14 touch:h-11`}
        />
      </div>
      <p role="status" className={found.length === 0 ? 'text-14 text-ink-2 wrap-anywhere' : 'sr-only'}>
        {words.length === 0
          ? null
          : found.length === 0
            ? `None has “${typed.trim()}”.`
            : `${found.length} of ${items.length}`}
      </p>
      {found.length === 0 ? null : children(found)}
    </div>
  );
}
