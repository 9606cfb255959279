// Settings of a mail intake: the allowed senders, and the proof that is asked of them.
import { Type } from 'typebox';
import type { IntakeWithSecrets } from '#core/ports/adapter/intake.ts';
import { SENDER_PATTERN } from './recipient.ts';
import { REQUIREMENTS, type Requirement, type SenderRules } from './sender-checks/verdicts.ts';

const MAX_SENDERS = 50;

export const settingsSchema = Type.Object({
  allowedSenders: Type.Optional(
    Type.Array(Type.String({ pattern: SENDER_PATTERN, maxLength: 320 }), {
      title: 'Allowed senders',
      description:
        'Addresses, or @example.com for a domain and everything below it. Held against the address that the mail is sent from (its Return-Path). Empty for everyone.',
      maxItems: MAX_SENDERS,
      default: [],
    }),
  ),
  requirePass: Type.Optional(
    Type.Enum([...REQUIREMENTS], {
      title: 'Proof of the sender',
      description:
        'none: not asked for. spf-or-dkim: the mail comes from a server or carries a signature of its domain. dmarc: the address that people see is genuine. What is not proven is sent back to its sender.',
      default: 'none',
    }),
  ),
});

/** Whether a mail to this intake needs proof of its sender; the token as password is a better proof. */
export function mustBeProven(
  intake: Pick<IntakeWithSecrets, 'id' | 'settings'>,
  signedInFor: string | null,
): boolean {
  return intake.id !== signedInFor && senderRulesOf(intake).requirePass !== 'none';
}

/** The settings of an intake; missing and unknown values are the defaults. */
export function senderRulesOf({ settings }: Pick<IntakeWithSecrets, 'settings'>): SenderRules {
  const { allowedSenders, requirePass } = settings;
  return {
    allowedSenders: Array.isArray(allowedSenders)
      ? allowedSenders.filter((each): each is string => typeof each === 'string')
      : [],
    requirePass: REQUIREMENTS.find((each): each is Requirement => each === requirePass) ?? 'none',
  };
}
