// Until when tasks are snoozed: a few times of the person's own day, or one to pick; or awake at once. A
// number chooses, and the keys that walk the list of tasks walk the choices.
import { useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import type { Task } from '#core/contract/index.ts';
import { ticker } from '../../../lib/services.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { plural } from '../../../lib/text.ts';
import { isAsleep, wakeText } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { Keys } from '../../../ui/keys.tsx';
import { latestWaking, pickedTime, snoozeOptions } from '#core/domain/snooze-times.ts';

interface Choice {
  label: string;
  /** Null wakes. */
  until: number | null;
}

interface SnoozeDialogProps {
  tasks: readonly Task[];
  onClose: () => void;
  /** Null wakes them. */
  onSnooze: (tasks: readonly Task[], until: number | null) => void;
}

export default function SnoozeDialog({ tasks, onClose, onSnooze }: SnoozeDialogProps) {
  const first = useRef<HTMLButtonElement>(null);
  const [now] = useState(() => ticker.now());
  const [picked, setPicked] = useState('');
  const asleep = tasks.filter((task) => isAsleep(task, now));
  const pickedAt = pickedTime(picked, now);
  const problem = picked === '' ? undefined : problemOf(pickedAt, now);

  function choose(until: number | null) {
    onClose();
    onSnooze(until === null ? asleep : tasks, until);
  }

  const choices: Choice[] = [
    ...(asleep.length === 0 ? [] : [{ label: 'Wake now', until: null }]),
    ...snoozeOptions(now),
  ];

  return (
    <Dialog
      open
      onClose={onClose}
      title={tasks.length === 1 ? 'Snooze' : `Snooze ${plural(tasks.length, 'item')}`}
      initialFocus={first}
      size="sm"
    >
      <Choices all={choices} first={first} now={now} onChoose={choose} />
      <Form
        noValidate
        className="mt-4 flex flex-col gap-4 border-t border-line-1 pt-4"
        onSubmit={() => choose(pickedAt)}
      >
        <TextField
          label="Pick a time"
          type="datetime-local"
          min={fieldTime(now)}
          max={fieldTime(latestWaking(now))}
          value={picked}
          onChange={setPicked}
          error={problem}
        />
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={onClose} className="touch:h-11">
            Cancel
          </Button>
          <Button
            type="submit"
            kind="primary"
            disabled={picked === '' || problem !== undefined}
            className="touch:h-11"
          >
            Snooze
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface ChoicesProps {
  all: readonly Choice[];
  first: RefObject<HTMLButtonElement | null>;
  now: number;
  onChoose: (until: number | null) => void;
}

function Choices({ all, first, now, onChoose }: ChoicesProps) {
  const list = useRef<HTMLUListElement>(null);
  useShortcuts(
    {
      j: () => walk(list.current, 1),
      k: () => walk(list.current, -1),
      ...Object.fromEntries(all.map(({ until }, index) => [String(index + 1), () => onChoose(until)])),
    },
    list,
  );

  // A dialog lets no arrow go on to the page, where other keys are listened for.
  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    walk(list.current, by);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul ref={list} onKeyDown={onKeyDown} className="-mx-2 flex flex-col">
      {all.map(({ label, until }, index) => (
        <li key={label}>
          <button
            ref={index === 0 ? first : null}
            type="button"
            aria-keyshortcuts={String(index + 1)}
            onClick={() => onChoose(until)}
            className="flex min-h-10 w-full items-center gap-3 rounded-sm px-2 text-left hover:bg-surface-3 touch:min-h-11"
          >
            <span aria-hidden className="touch:hidden">
              <Keys keys={String(index + 1)} />
            </span>
            {label}
            <span className="nums ml-auto text-14 text-ink-2">
              {until === null ? null : wakeText(until, now)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Moves the focus, round at both ends. */
function walk(list: Element | null, by: number): void {
  const buttons = [...(list?.querySelectorAll('button') ?? [])];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const next = at === -1 && by < 0 ? -1 : at + by;
  buttons.at(next % buttons.length)?.focus();
}

function problemOf(time: number, now: number): string | undefined {
  if (Number.isNaN(time)) return 'Give a day and a time.';
  if (time <= now) return 'Choose a time in the future.';
  return time > latestWaking(now) ? 'Choose a time within the next 7 days.' : undefined;
}

/** As the field has it: by the clock of this computer. */
function fieldTime(ms: number): string {
  const date = new Date(ms);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
