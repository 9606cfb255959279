// Until when tasks are snoozed: a few times of the person's own day, or one to pick; or awake at once.
import { useRef, useState, type ReactNode } from 'react';
import type { Task } from '#core/contract/index.ts';
import { ticker } from '../../../lib/services.ts';
import { plural } from '../../../lib/text.ts';
import { isAsleep, wakeText } from '../../../lib/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';
import { latestWaking, snoozeOptions } from '#core/text/snooze-times.ts';

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
  const pickedTime = new Date(picked).getTime();
  const problem = picked === '' ? undefined : problemOf(pickedTime, now);

  function choose(until: number | null) {
    onClose();
    onSnooze(until === null ? asleep : tasks, until);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={tasks.length === 1 ? 'Snooze' : `Snooze ${plural(tasks.length, 'item')}`}
      initialFocus={first}
      size="sm"
    >
      <ul className="-mx-2 flex flex-col">
        {asleep.length === 0 ? null : (
          <Option label="Wake now" detail="" onChoose={() => choose(null)} focused={first} />
        )}
        {snoozeOptions(now).map(({ label, until }, index) => (
          <Option
            key={label}
            label={label}
            detail={wakeText(until, now)}
            onChoose={() => choose(until)}
            focused={index === 0 && asleep.length === 0 ? first : null}
          />
        ))}
      </ul>
      <Form
        noValidate
        className="mt-4 flex flex-col gap-4 border-t border-line-1 pt-4"
        onSubmit={() => choose(pickedTime)}
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

interface OptionProps {
  label: string;
  detail: ReactNode;
  onChoose: () => void;
  focused: React.RefObject<HTMLButtonElement | null> | null;
}

function Option({ label, detail, onChoose, focused }: OptionProps) {
  return (
    <li>
      <button
        ref={focused}
        type="button"
        onClick={onChoose}
        className="flex min-h-10 w-full items-center justify-between gap-4 rounded-sm px-2 text-left hover:bg-surface-3 touch:min-h-11"
      >
        {label}
        <span className="nums text-14 text-ink-2">{detail}</span>
      </button>
    </li>
  );
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
