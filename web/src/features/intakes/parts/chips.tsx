// Chips and icons of an intake.
import { Mail, Pause, ShieldAlert, Unplug, Webhook } from 'lucide-react';
import type { Intake } from '#core/contract/index.ts';
import { UNVERIFIED } from '../model/labels.ts';

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
