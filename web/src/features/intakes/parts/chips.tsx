// Chips and icons of an intake and of its deliveries.
import {
  Ban,
  CircleCheck,
  CircleSlash,
  Mail,
  Pause,
  Repeat2,
  ShieldAlert,
  TriangleAlert,
  Unplug,
  Webhook,
} from 'lucide-react';
import type { Intake } from '#core/contract/index.ts';
import { UNVERIFIED, VERDICT_HINT, VERDICT_LABEL, type Verdict } from '../model/labels.ts';

export function PausedChip() {
  return (
    <span className="inline-flex items-center gap-1 rounded-full bg-surface-2 px-2.5 py-0.5 text-13 font-medium whitespace-nowrap text-ink-2">
      <Pause size={13} aria-hidden />
      Paused
    </span>
  );
}

export function UnverifiedChip() {
  return (
    <span
      data-hint={UNVERIFIED}
      className="inline-flex items-center gap-1 rounded-full bg-warn-soft px-2.5 py-0.5 text-13 font-medium whitespace-nowrap text-warn"
    >
      <ShieldAlert size={13} aria-hidden />
      Unverified
    </span>
  );
}

/** Null stands for a kind that the server does not have at present. */
export function KindIcon({ kind, size = 17 }: { kind: Intake['addressKind'] | null; size?: number }) {
  const Icon = kind === null ? Unplug : kind === 'email' ? Mail : Webhook;
  return <Icon size={size} aria-hidden className="shrink-0 text-ink-3" />;
}

const MARKS = {
  accepted: { Icon: CircleCheck, colour: 'text-ok' },
  duplicate: { Icon: Repeat2, colour: 'text-ink-3' },
  ignored: { Icon: CircleSlash, colour: 'text-ink-3' },
  refused: { Icon: Ban, colour: 'text-warn' },
  failed: { Icon: TriangleAlert, colour: 'text-warn' },
};

/** The verdict of a delivery: a shape, a colour and a word, never colour alone. */
export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const { Icon, colour } = MARKS[verdict];
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap" data-hint={VERDICT_HINT[verdict]}>
      <Icon size={16} aria-hidden className={`shrink-0 ${colour}`} />
      {VERDICT_LABEL[verdict]}
    </span>
  );
}
