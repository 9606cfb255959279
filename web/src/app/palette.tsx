// The command palette: everything that can be done here, and every task and intake, found by typing.
import { Search } from 'lucide-react';
import { Fragment, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'wouter';
import { isComposing } from '../lib/composing.ts';
import { useFoundEverywhere } from '../lib/find-everywhere.ts';
import { findCommands } from '../lib/find-commands.ts';
import { allCommands, type Command } from '../lib/palette-commands.ts';
import { Modal } from '../ui/dialog.tsx';
import { KeyHint } from '../ui/keys.tsx';
import { focusBeforeOpening } from '../ui/opening.ts';

const PAGE = 8;

export default function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { typed, setTyped, found, active, setAt, move } = useFoundCommands();
  const [hadFocus] = useState(focusBeforeOpening);
  const hasRun = useRef(false);

  // The focus is back where it was before the command runs, and the command may move it.
  function run(command: Command) {
    hasRun.current = true;
    flushSync(onClose);
    hadFocus?.focus({ preventScroll: true });
    command.run();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return;
    if (move(event.key)) event.preventDefault();
    else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      run(active);
    }
  }

  return (
    <Modal
      open
      onClose={onClose}
      label="Command palette"
      initialFocus={field}
      givesFocusBack={() => !hasRun.current}
      className="max-w-xl overflow-hidden rounded-lg max-sm:mx-3"
    >
      <div className="flex items-center gap-3 border-b border-line-1 px-4">
        <Search size={18} aria-hidden className="shrink-0 text-ink-3" />
        <input
          ref={field}
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
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-13 min-w-0 flex-1 bg-transparent text-16 outline-none"
        />
      </div>
      <Options id={id} found={found} active={active} isSearch={typed !== ''} onPoint={setAt} onChoose={run} />
      <p role="status" className={found.length === 0 ? 'px-4 pb-5 text-14 text-ink-2' : 'sr-only'}>
        {found.length === 0 ? 'Nothing here is called that.' : `${found.length} found`}
      </p>
    </Modal>
  );
}

/** The commands that fit what is typed, and the one that Enter runs. */
function useFoundCommands() {
  const [commands] = useState(allCommands);
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const foundElsewhere = useFoundEverywhere(typed, navigate);
  const found = [...findCommands(commands, typed), ...foundElsewhere];
  const last = found.length - 1;
  return {
    typed,
    setTyped: (text: string) => {
      setTyped(text);
      setAt(0);
    },
    found,
    active: found[Math.min(at, last)],
    setAt,
    /** Returns whether the key moves. */
    move: (key: string): boolean => {
      const next = {
        ArrowDown: at >= last ? 0 : at + 1,
        ArrowUp: at <= 0 ? last : at - 1,
        PageDown: Math.min(last, at + PAGE),
        PageUp: Math.max(0, at - PAGE),
      }[key];
      if (next !== undefined) setAt(Math.max(0, next));
      return next !== undefined;
    },
  };
}

interface OptionsProps {
  id: string;
  found: readonly Command[];
  active: Command | undefined;
  /** Something is typed: the groups are beside the commands then. */
  isSearch: boolean;
  onPoint: (index: number) => void;
  onChoose: (command: Command) => void;
}

function Options({ id, found, active, isSearch, onPoint, onChoose }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
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
          {!isSearch && command.group !== found[index - 1]?.group ? (
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
            onPointerMove={() => onPoint(index)}
            onClick={() => onChoose(command)}
            className="flex min-h-10 touch:min-h-11 cursor-default items-center gap-3 rounded-sm px-2.5 text-14 aria-selected:bg-surface-2"
          >
            <span className="min-w-0 flex-1 truncate">{command.label}</span>
            {isSearch ? <span className="text-13 text-ink-3">{command.group}</span> : null}
            <KeyHint keys={command.keys} />
          </div>
        </Fragment>
      ))}
    </div>
  );
}
