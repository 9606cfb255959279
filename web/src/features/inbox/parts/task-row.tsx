// One task: text, priority, tags, source, time left, and its commands.
import { AlarmClock, Check, CircleCheck, CloudUpload, Ellipsis, Pin, PinOff } from 'lucide-react';
import { memo, useRef, type ReactNode } from 'react';
import type { Task } from '#core/contract/index.ts';
import { PRIORITY_LABEL, sourceLabel } from '../../../lib/labels.ts';
import { firstLine } from '../../../lib/text.ts';
import { ticker } from '../../../lib/services.ts';
import { fullTime, isAsleep } from '../../../lib/time.ts';
import { IconButton } from '../../../ui/hints.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';
import { batchOf, type Batch } from '../model/command-labels.ts';
import { ACKNOWLEDGE, EDIT, labelOf, PIN, TASK_COMMANDS, type InboxCommand } from '../model/commands.ts';
import { hasMore, resolvedAt } from '../model/metadata-details.ts';
import type { TokenKind } from '../model/search.ts';
import { CommandIcon } from './command-icon.tsx';
import { RowText } from './row-text.tsx';
import { RowTime } from './row-time.tsx';
import { useFocusRequest } from './use-focus-request.ts';

const NAME_CHARACTERS = 140;
const BUTTON_NAME_CHARACTERS = 60;
const SHOWN_TAGS = 2;

/** What a row can ask of the screen. Always the same object, so that rows need not be drawn again. */
export interface RowActions {
  focused: (id: string) => void;
  toggle: (id: string) => void;
  extendTo: (id: string) => void;
  open: (id: string) => void;
  filterBy: (kind: TokenKind, value: string) => void;
  /** On touch a tap selects while others are selected. */
  isSelecting: () => boolean;
  run: (command: InboxCommand, task: Task) => void;
}

interface TaskRowProps {
  task: Task;
  /** The one row that Tab reaches. */
  active: boolean;
  /** A new number asks it to take the focus; 0 does not. */
  focusRequest: number;
  selected: boolean;
  /** It is open beside the list. */
  open: boolean;
  selecting: boolean;
  /** The selection, when it is selected. */
  batch: Batch | null;
  /** A change of it is not sent yet. */
  delayed: boolean;
  actions: RowActions;
}

export const TaskRow = memo(function TaskRow(props: TaskRowProps) {
  const { task, active, focusRequest, selected, open, selecting, batch, delayed, actions } = props;
  const row = useRef<HTMLElement>(null);
  const tabIndex = active ? 0 : -1;

  useFocusRequest(row, focusRequest);

  return (
    <article
      ref={row}
      aria-label={`${PRIORITY_LABEL[task.priority]} priority: ${task.content.slice(0, NAME_CHARACTERS)}`}
      tabIndex={tabIndex}
      data-task={task.id}
      data-selected={selected || undefined}
      data-open={open || undefined}
      aria-current={open || undefined}
      className="group/row relative touch-pan-y overflow-hidden rounded-[inherit] bg-surface-1 outline-none after:pointer-events-none after:absolute after:inset-0 after:rounded-[inherit] focus-visible:after:ring-2 focus-visible:after:ring-focus focus-visible:after:ring-inset data-selected:bg-accent-soft"
    >
      <SwipeHints pinned={task.pinned} />
      <div
        data-face
        className="relative flex items-start gap-2.5 bg-surface-1 px-3 py-3 group-data-selected/row:bg-accent-soft pointer:group-hover/row:bg-surface-2 pointer:group-data-selected/row:group-hover/row:bg-accent-soft compact:py-1.5 @[45rem]:gap-3 @[45rem]:pr-4 @[45rem]:pl-2 @[45rem]:touch:pr-13"
      >
        <span className="flex h-6 shrink-0 items-center gap-2 compact:h-5">
          <input
            type="checkbox"
            aria-label="Select"
            tabIndex={tabIndex}
            checked={selected}
            onChange={(event) => {
              const { nativeEvent } = event;
              if (nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)
                actions.extendTo(task.id);
              else actions.toggle(task.id);
            }}
            className={`size-4 accent-accent ${selecting ? '' : 'opacity-0 group-hover/row:opacity-100 focus-visible:opacity-100 touch:hidden'}`}
          />
          <PriorityMark priority={task.priority} named />
        </span>
        <div className="min-w-0 flex-1 @[45rem]:flex @[45rem]:items-start @[45rem]:gap-5">
          <div className="min-w-0 flex-1 @max-[45rem]:touch:pr-9">
            <RowText
              content={task.content}
              url={task.metadata['url']}
              tabbable={active}
              hasMore={hasMore(task)}
              strong={task.priority === 'high'}
            />
          </div>
          <Meta task={task} tabIndex={tabIndex} delayed={delayed} actions={actions} />
        </div>
        <Commands task={task} tabIndex={tabIndex} batch={batch} actions={actions} />
      </div>
      <span
        aria-hidden
        className="pointer-events-none absolute inset-x-0 bottom-0 h-px bg-line-1 in-[.rounded-b-md]:hidden"
      />
    </article>
  );
});

type MetaProps = Pick<TaskRowProps, 'task' | 'delayed' | 'actions'> & { tabIndex: number };

function Meta({ task, tabIndex, delayed, actions }: MetaProps) {
  const more = task.tags.length - SHOWN_TAGS;
  const resolved = resolvedAt(task.metadata);
  return (
    <div className="mt-1 flex min-w-0 items-center gap-x-2 max-[18rem]:flex-wrap text-13 text-ink-3 @[45rem]:mt-0 @[45rem]:h-6 @[45rem]:shrink-0 @[45rem]:gap-x-3 compact:@[45rem]:h-5">
      {task.tags.length === 0 ? null : (
        <span
          translate="no"
          className="flex min-w-0 gap-2 @[45rem]:max-w-48 @[45rem]:justify-end"
          data-hint={more > 0 ? task.tags.join(', ') : undefined}
        >
          <span className="flex min-w-0 gap-2 overflow-hidden">
            {task.tags.slice(0, SHOWN_TAGS).map((tag, index) => (
              <FilterButton
                key={tag}
                hint={`Only #${tag}`}
                tabIndex={tabIndex}
                onClick={() => actions.filterBy('tag', tag)}
                // Where there is little room, the first one has it.
                className={`max-w-22 ${index === 0 ? '' : 'shrink-99'}`}
              >
                <span aria-hidden className="text-ink-3/70">
                  #
                </span>
                {tag}
              </FilterButton>
            ))}
          </span>
          {more > 0 ? <span className="nums shrink-0">+{more}</span> : null}
        </span>
      )}
      {resolved === null ? null : (
        <span
          className="flex shrink-0 items-center gap-1 text-ok"
          data-hint={`Its source said so: ${fullTime(resolved)}`}
        >
          <CircleCheck size={14} aria-hidden />
          Resolved
        </span>
      )}
      {task.snoozedUntil === null || isAsleep(task, ticker.now()) ? null : (
        <span
          className="flex shrink-0 items-center gap-1 text-accent"
          data-hint={`Snoozed until ${fullTime(task.snoozedUntil)}`}
        >
          <AlarmClock size={14} aria-hidden />
          Back
        </span>
      )}
      {task.occurrences > 1 ? (
        <span
          className="nums shrink-0 rounded-full bg-surface-3 px-1.5 text-ink-2"
          data-hint={`Reported ${task.occurrences} times`}
        >
          <span aria-hidden>×{task.occurrences}</span>
          <span className="sr-only">reported {task.occurrences} times</span>
        </span>
      ) : null}
      {delayed ? (
        <span className="shrink-0" data-hint="Waits to be sent">
          <CloudUpload size={15} aria-hidden />
          <span className="sr-only">waits to be sent</span>
        </span>
      ) : null}
      <span className="flex shrink-0 grow items-center gap-x-2 @[45rem]:grow-0 @[45rem]:gap-x-3">
        <FilterButton
          hint={`Only from ${sourceLabel(task.source)}`}
          tabIndex={tabIndex}
          onClick={() => actions.filterBy('source', task.source)}
          className="max-w-24 shrink-0 text-left @[45rem]:w-24"
        >
          {sourceLabel(task.source)}
        </FilterButton>
        <span className="row-time ml-auto shrink-0 @[45rem]:w-24">
          <RowTime task={task} />
        </span>
      </span>
    </div>
  );
}

interface FilterButtonProps {
  hint: string;
  tabIndex: number;
  onClick: () => void;
  className: string;
  children: ReactNode;
}

/** What a task can be filtered by, as quiet as text until it is pointed at. On touch the open task has it. */
function FilterButton({ hint, className, ...rest }: FilterButtonProps) {
  return (
    <button
      type="button"
      aria-label={hint}
      data-hint={hint}
      className={`truncate rounded-[4px] touch:pointer-events-none hover:text-ink-1 hover:underline hover:underline-offset-3 ${className}`}
      {...rest}
    />
  );
}

interface CommandsProps {
  task: Task;
  tabIndex: number;
  batch: Batch | null;
  actions: RowActions;
}

/** The commands with a button in each row. */
const BUTTONS = [ACKNOWLEDGE, PIN, EDIT];

function Commands({ task, tabIndex, batch, actions }: CommandsProps) {
  const these = batch ?? batchOf([task]);
  return (
    <div className="row-actions flex items-center">
      <div className="flex touch:hidden">
        {BUTTONS.map((command) => (
          <IconButton
            key={command.id}
            small
            className="size-7!"
            label={labelOf(command, these)}
            aria-label={nameOf(labelOf(command, these), task, batch)}
            keys={command.keys}
            tabIndex={tabIndex}
            onClick={() => actions.run(command, task)}
          >
            <CommandIcon command={command} batch={these} size={17} />
          </IconButton>
        ))}
      </div>
      <MenuButton
        menuLabel="More actions"
        aria-label={nameOf('More actions', task, batch)}
        tabIndex={tabIndex}
        entries={TASK_COMMANDS.map((command) => ({
          kind: 'item',
          label: command.rowLabel?.(batch !== null) ?? labelOf(command, these),
          icon: <CommandIcon command={command} batch={these} size={16} />,
          keys: command.keys,
          onSelect: () => actions.run(command, task),
        }))}
        className="inline-flex size-7 shrink-0 items-center justify-center rounded-sm text-ink-2 transition-colors hover:bg-surface-3 hover:text-ink-1 aria-expanded:bg-surface-3 touch:size-11"
      >
        <Ellipsis size={18} aria-hidden />
      </MenuButton>
    </div>
  );
}

/** Which row a button is of, for those who hear one after the other. */
function nameOf(label: string, { content }: Task, batch: Batch | null): string {
  return batch === null || batch.count === 1
    ? `${label}: ${firstLine(content, BUTTON_NAME_CHARACTERS)}`
    : label;
}

function SwipeHints({ pinned }: { pinned: boolean }) {
  return (
    <div aria-hidden className="pointer:hidden">
      <span
        className="swipe-hint absolute inset-0 hidden items-center gap-2 bg-surface-3 pl-5 text-14 font-medium text-ink-2 group-data-[swipe=right]/row:flex"
        data-does="acknowledge"
      >
        <Check size={22} />
        Acknowledge
      </span>
      <span
        className="swipe-hint absolute inset-0 hidden items-center justify-end gap-2 bg-surface-3 pr-5 text-14 font-medium text-ink-2 group-data-[swipe=left]/row:flex"
        data-does="pin"
      >
        {pinned ? 'Unpin' : 'Pin'}
        {pinned ? <PinOff size={20} /> : <Pin size={20} />}
      </span>
    </div>
  );
}
