// The verdict of a delivery: a shape, a colour and a word, never colour alone.
import { Ban, CircleCheck, CircleSlash, Repeat2, TriangleAlert } from 'lucide-react';
import { VERDICT_HINT, VERDICT_LABEL, type Verdict } from '../model/labels.ts';

const MARKS = {
  accepted: { Icon: CircleCheck, colour: 'text-ok' },
  duplicate: { Icon: Repeat2, colour: 'text-ink-3' },
  ignored: { Icon: CircleSlash, colour: 'text-ink-3' },
  refused: { Icon: Ban, colour: 'text-warn' },
  failed: { Icon: TriangleAlert, colour: 'text-warn' },
};

export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const { Icon, colour } = MARKS[verdict];
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap" data-hint={VERDICT_HINT[verdict]}>
      <Icon size={16} aria-hidden className={`shrink-0 ${colour}`} />
      {VERDICT_LABEL[verdict]}
    </span>
  );
}
