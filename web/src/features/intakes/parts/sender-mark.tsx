// A mark for each sender: two letters of its name in a tint of its own; no brand's logo. General ways in have
// an icon.
import { Mail, Webhook } from 'lucide-react';
import type { CSSProperties } from 'react';
import type { Intake } from '#core/contract/index.ts';
import { hueOf, monogramOf } from '../model/monogram.ts';

interface SenderMarkProps {
  /** Null for the general way in of a kind. */
  preset: string | null;
  title: string;
  kind: Intake['addressKind'];
}

export function SenderMark({ preset, title, kind }: SenderMarkProps) {
  const Icon = kind === 'email' ? Mail : Webhook;
  const isGeneral = preset === null || preset === 'generic';
  return (
    <span
      aria-hidden
      data-letters={isGeneral ? undefined : monogramOf(title)}
      style={isGeneral ? undefined : ({ '--hue': hueOf(title) } as CSSProperties)}
      className={`inline-flex size-10 shrink-0 items-center justify-center rounded-md text-14 font-semibold tracking-tight select-none ${isGeneral ? 'bg-surface-3 text-ink-2' : 'before:content-[attr(data-letters)] bg-[oklch(var(--mark-soft)_var(--hue))] text-[oklch(var(--mark-ink)_var(--hue))]'}`}
    >
      {isGeneral ? <Icon size={19} /> : null}
    </span>
  );
}
