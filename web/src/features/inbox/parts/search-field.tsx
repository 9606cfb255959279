// The search field. Tags, sources, intakes and priorities are completed while they are typed.
import { Search, X } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { isComposing } from '../../../lib/composing.ts';
import { Keys } from '../../../ui/keys.tsx';
import { useFacets } from '../data/use-facets.ts';
import { completionsFor, unfinishedFrom, type Completion } from '../model/completions.ts';
import type { Inbox } from '../screen/use-inbox.ts';

export function SearchField({ inbox: { filters, queue, search } }: { inbox: Inbox }) {
  const { field, leave, toList } = search;
  const id = useId();
  const [isFocused, setFocused] = useState(false);
  const [caret, setCaret] = useState(0);
  const [at, setAt] = useState(-1);
  // Esc closes the list for what is typed; more typing opens it again.
  const [closedFor, setClosedFor] = useState<string | null>(null);
  const facets = useFacets(isFocused, queue.view.tasks);
  const typed = filters.search;
  const options = isFocused && closedFor !== typed ? completionsFor(typed, caret, facets) : [];
  const active = options[Math.min(at, options.length - 1)];

  function type(text: string, position: number) {
    filters.setSearch(text, position === text.length ? unfinishedFrom(text, facets) : null);
    setCaret(position);
    setAt(-1);
  }

  function choose({ text, caret: position }: Completion) {
    flushSync(() => type(text, position));
    field.current?.focus();
    field.current?.setSelectionRange(position, position);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (options.length > 0) return setClosedFor(typed);
      filters.setSearch('');
      toList();
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setAt((at + step + options.length + (at === -1 && step === -1 ? 1 : 0)) % options.length);
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      choose(active);
    } else if (event.key === 'Enter') {
      flushSync(filters.finishNow);
      toList();
    }
  }

  return (
    <search className="relative min-w-0 flex-1 max-[18rem]:basis-full sm:max-w-64">
      <Search
        size={16}
        aria-hidden
        className="pointer-events-none absolute top-2.5 left-2.5 text-ink-3 touch:top-3.5"
      />
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-label="Search"
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={active === undefined ? undefined : `${id}-${options.indexOf(active)}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Search"
        value={typed}
        onChange={({ target }) => type(target.value, target.selectionStart ?? target.value.length)}
        onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart ?? 0)}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false);
          setClosedFor(null);
          filters.finish();
          leave();
        }}
        onKeyDown={onKeyDown}
        className={`peer h-9 w-full rounded-sm border border-line-1 bg-surface-1 pr-8 pl-8 text-14 ${typed === '' ? 'max-sm:pr-2' : 'touch:pr-11'} max-[22rem]:placeholder:opacity-0 transition-colors hover:border-line-2 touch:h-11 [&::-webkit-search-cancel-button]:hidden`}
      />
      {typed === '' ? (
        <span className="pointer-events-none absolute top-1.5 right-2 peer-focus:hidden touch:hidden">
          <Keys keys="/" />
        </span>
      ) : (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            type('', 0);
            field.current?.focus();
          }}
          className="absolute top-1.5 right-1.5 inline-flex size-6 items-center justify-center rounded-[4px] text-ink-3 hover:text-ink-1 touch:top-0 touch:right-0 touch:size-11"
        >
          <X size={15} aria-hidden />
        </button>
      )}
      <Options id={id} options={options} active={active} onChoose={choose} />
    </search>
  );
}

interface OptionsProps {
  id: string;
  options: readonly Completion[];
  active: Completion | undefined;
  onChoose: (option: Completion) => void;
}

function Options({ id, options, active, onChoose }: OptionsProps) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="Suggestions"
      tabIndex={-1}
      className={`absolute top-full left-0 z-30 mt-1 max-h-72 w-max max-w-[min(22rem,calc(100vw-2rem))] min-w-full overflow-y-auto rounded-md border border-line-1 bg-surface-1 p-1.5 shadow-2 ${options.length === 0 ? 'hidden' : ''}`}
    >
      {options.map((option, index) => (
        // The field has the focus and the keys; an option is only pointed at, and must not take the focus.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={option.label}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={option === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
          className="flex min-h-9 cursor-default items-center gap-3 rounded-sm px-2.5 text-14 hover:bg-surface-2 aria-selected:bg-surface-2 touch:min-h-11"
        >
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
          <span className="nums shrink-0 text-13 text-ink-3">{option.note}</span>
        </div>
      ))}
    </div>
  );
}
