// What was recognised in the message of a new item, under the field: a press makes it plain text again.
import { Clock, X } from 'lucide-react';
import { PRIORITY_LABEL } from '../../../lib/labels.ts';
import { Code } from '../../../ui/code.tsx';
import { PriorityMark } from '../../../ui/priority-mark.tsx';
import { formatLifetime } from '../model/lifetime.ts';
import type { Mark } from '#core/text/quick-add.ts';

/** Under the field while nothing is recognised in it; as high as the chips. */
export function QuickAddHint() {
  return (
    <span className="mt-1 inline-flex min-h-7 flex-wrap items-center gap-x-[0.5ch] touch:min-h-11">
      <Code>#tag</Code>
      <Code>!high</Code>
      <Code>~2h</Code>
      set tags, priority and time
    </span>
  );
}

interface QuickAddChipsProps {
  marks: readonly Mark[];
  disabled: boolean;
  /** To be text again, as it was typed. */
  onPlain: (mark: Mark) => void;
}

export function QuickAddChips({ marks, disabled, onPlain }: QuickAddChipsProps) {
  if (marks.length === 0) return null;
  return (
    <ul aria-label="Recognised in the message" className="flex flex-wrap gap-1.5">
      {marks.map((mark) => (
        <li key={mark.typed}>
          <button
            type="button"
            disabled={disabled}
            aria-label={`${labelOf(mark)}: leave ${mark.typed} in the message`}
            data-hint={`Leave ${mark.typed} in the message`}
            onClick={() => onPlain(mark)}
            className="group/chip inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-full bg-accent-soft py-0.5 pr-2 pl-2.5 text-13 font-medium text-ink-1 transition-colors hover:bg-surface-3 disabled:opacity-55 touch:min-h-11 touch:px-3.5"
          >
            {mark.kind === 'priority' ? <PriorityMark priority={mark.priority} /> : null}
            {mark.kind === 'time' ? <Clock size={14} aria-hidden className="shrink-0 text-ink-2" /> : null}
            <span className="min-w-0 text-left wrap-anywhere">{labelOf(mark)}</span>
            <X size={14} aria-hidden className="shrink-0 text-ink-3 group-hover/chip:text-ink-1" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** For screen readers: what the message says beside its text. */
export function describeMarks(marks: readonly Mark[]): string {
  return marks.length === 0 ? '' : `Recognised: ${marks.map(nameOf).join(', ')}`;
}

function labelOf(mark: Mark): string {
  if (mark.kind === 'tag') return `#${mark.tag}`;
  return mark.kind === 'priority' ? PRIORITY_LABEL[mark.priority] : formatLifetime(mark.minutes);
}

function nameOf(mark: Mark): string {
  if (mark.kind === 'tag') return `tag ${mark.tag}`;
  return mark.kind === 'priority'
    ? `${PRIORITY_LABEL[mark.priority]} priority`
    : `time ${formatLifetime(mark.minutes)}`;
}
