// The open task: beside the list on wide screens, in a sheet from below on narrow ones.
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import type { Task } from '#core/contract/index.ts';
import { Button } from '../../../../ui/button.tsx';
import { Modal } from '../../../../ui/dialog.tsx';
import { IconButton } from '../../../../ui/hints.tsx';
import { PriorityMark } from '../../../../ui/priority-mark.tsx';
import { PRIORITY_LABEL } from '../../../../lib/labels.ts';
import { listen } from '../../../../lib/listen.ts';
import { OPEN_MODAL, useShortcuts, type Shortcuts } from '../../../../lib/shortcuts.ts';
import { ACKNOWLEDGE, EDIT, eventKey, PIN, SNOOZE, TAGS, type InboxActions } from '../../model/commands.ts';
import type { TokenKind } from '../../model/search.ts';
import { PanelActions } from './panel-actions.tsx';
import { TaskContent } from './task-content.tsx';
import { TaskFacts } from './task-facts.tsx';

export interface TaskPanelProps {
  /** Null: it is on its way, it has gone, or it could not be loaded. */
  task: Task | null;
  isGone: boolean;
  /** Null unless it could not be loaded. */
  onLoadAgain: (() => void) | null;
  wide: boolean;
  actions: InboxActions;
  onFilter: (kind: TokenKind, value: string) => void;
  /** Null where there is no list to walk along. */
  onWalk: ((by: 1 | -1) => void) | null;
  onClose: () => void;
}

const LABEL = 'Details';
// What scrolls must be reachable by keyboard.
const SCROLLS = { tabIndex: 0, role: 'group' } as const;

export default function TaskPanel(props: TaskPanelProps) {
  const { wide, onClose } = props;
  if (!wide)
    return (
      <Modal
        open
        onClose={onClose}
        label={LABEL}
        className="flex max-h-[88dvh] max-w-2xl flex-col overflow-hidden rounded-t-lg max-sm:mt-auto sm:rounded-lg"
      >
        <Panel {...props} />
      </Modal>
    );
  return (
    <aside
      aria-label={LABEL}
      // With the keyboard it is reached by Tab or by Enter on the row once more.
      tabIndex={-1}
      data-task-panel
      className="sticky top-14 flex max-h-[calc(100dvh-4.5rem)] flex-col self-start overflow-hidden rounded-md border border-line-1 bg-surface-1"
    >
      <Panel {...props} />
    </aside>
  );
}

function Panel(props: TaskPanelProps) {
  const { task, isGone, onLoadAgain, wide, actions, onFilter, onWalk, onClose } = props;
  const header = useRef<HTMLDivElement>(null);
  useShortcuts(wide ? {} : sheetKeys(props), header);
  useFocusInSheet(header);
  const scroller = useRef<HTMLDivElement>(null);
  const id = task?.id;
  useLayoutEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [id]);
  return (
    <>
      <div ref={header} className="flex items-center gap-1 border-b border-line-1 py-1.5 pr-1.5 pl-4">
        {task === null ? null : (
          <p className="flex items-center gap-2 text-13 text-ink-2">
            <PriorityMark priority={task.priority} />
            {PRIORITY_LABEL[task.priority]} priority
          </p>
        )}
        <span className="flex-1" />
        {onWalk === null ? null : (
          <>
            <IconButton label="Previous item" keys="k" onClick={() => onWalk(-1)} className="touch:size-11">
              <ChevronUp size={18} aria-hidden />
            </IconButton>
            <IconButton label="Next item" keys="j" onClick={() => onWalk(1)} className="touch:size-11">
              <ChevronDown size={18} aria-hidden />
            </IconButton>
          </>
        )}
        <IconButton label="Close" keys="Esc" onClick={onClose} className="touch:size-11">
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      {task === null ? (
        <Note>
          {isGone ? (
            'This item is not in the queue any more: it was acknowledged, or its time was up.'
          ) : onLoadAgain === null ? (
            'Loading …'
          ) : (
            <>
              <p>This item could not be loaded: there is no network, or the server does not answer.</p>
              <Button className="mt-4" onClick={onLoadAgain}>
                Try again
              </Button>
            </>
          )}
        </Note>
      ) : (
        <>
          <div
            ref={scroller}
            {...SCROLLS}
            aria-label="Text"
            className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-4 -outline-offset-2 sm:px-5"
          >
            <TaskContent task={task} />
            <TaskFacts task={task} onFilter={onFilter} />
          </div>
          <PanelActions task={task} actions={actions} onDone={wide ? null : onClose} />
        </>
      )}
    </>
  );
}

/** Rows take the focus when they are walked to, or the one before them goes; in a sheet, it stays there. */
function useFocusInSheet(inSheet: RefObject<Element | null>): void {
  useEffect(
    () =>
      listen(document, {
        focusin({ target }) {
          const sheet = inSheet.current?.closest<HTMLElement>(OPEN_MODAL) ?? null;
          const isRow = target instanceof Element && target.matches('article');
          if (isRow) sheet?.focus({ preventScroll: true });
        },
      }),
    [inSheet],
  );
}

/** Keys of the sheet, which holds off those of the inbox. They do the same: the next one takes its place. */
function sheetKeys({ task, actions, onWalk, onClose }: TaskPanelProps): Shortcuts {
  const keys: Shortcuts = {
    j: () => onWalk?.(1),
    k: () => onWalk?.(-1),
    z: () => actions.undo(),
  };
  if (task === null) return keys;
  for (const command of [ACKNOWLEDGE, PIN, EDIT, SNOOZE, TAGS])
    keys[eventKey(command.keys ?? '')] = () => {
      if (command.opensDialog === true) onClose();
      command.run(actions, [task]);
    };
  return keys;
}

function Note({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="px-5 py-8 text-14 text-balance text-ink-2">
      {children}
    </div>
  );
}
