// The command palette: everything that can be done here, found by typing. The focus is back where it was before the chosen
// command runs.
import { Search } from 'lucide-react';
import { Fragment, useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { allCommands, findCommands, type Command } from '../lib/commands.ts';
import { Keys } from '../ui/keys.tsx';
import { focusBeforeOpening } from '../ui/opening.ts';

export default function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const [commands] = useState(allCommands);
  const [hadFocus] = useState(focusBeforeOpening);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const found = findCommands(commands, typed);
  const active = found[Math.min(at, found.length - 1)];

  useEffect(() => {
    const node = dialog.current;
    if (node !== null && !node.open) node.showModal();
  }, []);
  useLayoutEffect(() => {
    const option = list.current?.querySelector('[aria-selected=true]');
    if (typeof option?.scrollIntoView === 'function') option.scrollIntoView({ block: 'nearest' });
  }, [active]);

  function run(command: Command) {
    dialog.current?.close();
    giveBackFocus();
    command.run();
  }

  // The browser gives it back only to what had it when this opened, and that is gone: it caught the keys meanwhile.
  function giveBackFocus() {
    const { activeElement } = document;
    if (activeElement === document.body || dialog.current?.contains(activeElement))
      hadFocus?.focus({ preventScroll: true });
  }

  function onKeyDown(event: KeyboardEvent) {
    const last = found.length - 1;
    const steps: Record<string, number> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
      PageDown: Math.min(last, at + 8),
      PageUp: Math.max(0, at - 8),
    };
    const next = steps[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setAt(Math.max(0, next));
    } else if (event.key === 'Enter' && active !== undefined && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(active);
    } else if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      // The browser would do so, too, and leave the focus in here for a moment longer.
      event.preventDefault();
      dialog.current?.close();
      giveBackFocus();
    }
  }

  return (
    // A click beside it closes it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      data-modal
      aria-label="Command palette"
      onClose={() => {
        giveBackFocus();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
      className="mx-auto mt-[12vh] mb-auto w-[calc(100%-1.5rem)] max-w-xl overflow-hidden rounded-lg border border-line-1 bg-surface-1 p-0 text-ink-1 shadow-2 backdrop:bg-scrim max-sm:mt-3"
    >
      <div className="flex flex-col">
        <div className="flex items-center gap-3 border-b border-line-1 px-4">
          <Search size={18} aria-hidden className="shrink-0 text-ink-3" />
          <input
            role="combobox"
            aria-label="Command"
            aria-expanded
            aria-controls={`${id}-list`}
            aria-activedescendant={active === undefined ? undefined : `${id}-${active.id}`}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            placeholder="What do you want to do?"
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
            className="h-13 min-w-0 flex-1 bg-transparent text-16 outline-none"
          />
        </div>
        <div
          ref={list}
          id={`${id}-list`}
          role="listbox"
          aria-label="Commands"
          tabIndex={-1}
          className="max-h-[min(26rem,60vh)] overflow-y-auto p-1.5"
        >
          {found.map((command, index) => (
            <Fragment key={command.id}>
              {typed === '' && command.group !== found[index - 1]?.group ? (
                <div role="presentation" className="px-2.5 pt-2.5 pb-1 text-13 text-ink-3 first:pt-1">
                  {command.group}
                </div>
              ) : null}
              {/* The field has the focus and the keys; an option is only pointed at. */}
              {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events */}
              <div
                id={`${id}-${command.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={command === active}
                onPointerMove={() => setAt(index)}
                onClick={() => run(command)}
                className="flex min-h-10 cursor-default items-center gap-3 rounded-sm px-2.5 text-14 aria-selected:bg-surface-2"
              >
                <span className="min-w-0 flex-1 truncate">{command.label}</span>
                {typed === '' ? null : <span className="text-13 text-ink-3">{command.group}</span>}
                {command.keys === undefined ? null : (
                  <span className="touch:hidden">
                    <Keys keys={command.keys} />
                  </span>
                )}
              </div>
            </Fragment>
          ))}
        </div>
        <p role="status" className={found.length === 0 ? 'px-4 pb-5 text-14 text-ink-2' : 'sr-only'}>
          {found.length === 0 ? 'Nothing here does that.' : `${found.length} commands`}
        </p>
      </div>
    </dialog>
  );
}
