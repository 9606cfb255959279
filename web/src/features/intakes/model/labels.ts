// The words that the screens of intakes use, one place for each.
import type { Delivery, Intake, IntakeKindInfo } from '#core/contract/index.ts';
import { plural } from '../../../lib/text.ts';
import { presetOf } from '../data/intakes.ts';
import { fieldsOf } from './schema-form.ts';

export type Verdict = Delivery['verdict'];

export const VERDICT_LABEL: Record<Verdict, string> = {
  accepted: 'Accepted',
  duplicate: 'Repeat',
  ignored: 'Ignored',
  refused: 'Refused',
  failed: 'Not read',
};

export const VERDICT_HINT: Record<Verdict, string> = {
  accepted: 'Tasks were made, repeated or closed',
  duplicate: 'It came before; nothing was made again',
  ignored: 'There was nothing to do',
  refused: 'Not proven, paused or too many: nothing was made',
  failed: 'It could not be read as meant; a summary was made where that was possible',
};

export const UNVERIFIED = 'Unverified: anyone who knows the address can send';

/** Whether there is neither verification nor a setting that restricts senders. */
export function isUnverified(
  { verification, settings }: Pick<Intake, 'verification' | 'settings'>,
  kind: IntakeKindInfo | null,
): boolean {
  if (verification.scheme !== 'none') return false;
  return fieldsOf(kind?.settings ?? null).every(({ name, initial }) => {
    const value = settings[name] ?? initial;
    return JSON.stringify(value) === JSON.stringify(initial) || value === '';
  });
}

/** Why no address can be shown; null when there is one. */
export function whyNoAddress(
  { address, adapter }: Pick<Intake, 'address' | 'adapter'>,
  kind: IntakeKindInfo | null,
): string | null {
  if (address !== '') return null;
  return kind === null
    ? `Nothing can arrive here: the adapter “${adapter}” is switched off on this server`
    : 'The server’s secret was changed, so the address cannot be shown; it still works, and a new one can be made';
}

/** The sender: "GitHub", "E-mail". */
export function senderOf(
  { preset, adapter }: Pick<Intake, 'preset' | 'adapter'>,
  kind: IntakeKindInfo | null,
): string {
  return presetOf(kind, preset)?.title ?? kind?.title ?? adapter;
}

/** "30 minutes", "1 hour", "7 days". */
export function spellMinutes(minutes: number): string {
  if (minutes % 1440 === 0) return plural(minutes / 1440, 'day');
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute');
}
