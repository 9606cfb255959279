// Results of SPF, DKIM, DMARC and ARC, and whether they suffice for an intake that asks for proof. Pure.
import { isListedSender } from '../recipient.ts';

/** Input of a check. */
export interface Evidence {
  raw: Uint8Array;
  /** IP address of the client; null for a client of our own network, whose SPF says nothing. */
  ip: string | null;
  helo: string;
  /** From the envelope; empty for a bounce. */
  sender: string;
}

/** Results as RFC 8601 names them: `pass`, `fail`, `none`, `temperror` and so on. */
export interface Verdicts {
  spf: string;
  dkim: string;
  dmarc: string;
  arc: string;
  /** Addresses of the From header as the checks saw them. */
  from: readonly string[];
  /** Whether a signature that passed is of the From header's own domain. */
  dkimAligned: boolean;
}

/** Checks messages. Never rejects: unknown results are `temperror`. */
export interface VerdictSource {
  check(evidence: Evidence): Promise<Verdicts>;
  close(): Promise<void>;
}

export const NOT_CHECKED = 'not checked: local sender';

/** The verdicts when the checks did not end in time. */
export const UNKNOWN: Verdicts = {
  spf: 'temperror',
  dkim: 'temperror',
  dmarc: 'temperror',
  arc: 'temperror',
  from: [],
  dkimAligned: false,
};

/** The verdicts to show. */
export function shownVerdicts({ spf, dkim, dmarc, arc }: Verdicts): Record<string, string> {
  return { spf, dkim, dmarc, arc };
}

/** The proofs an intake may ask for. */
export const REQUIREMENTS = ['none', 'spf-or-dkim', 'dmarc'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** Rules of an intake for its senders. */
export interface SenderRules {
  requirePass: Requirement;
  allowedSenders: readonly string[];
}

/** `unsure` is for a fault on the way, after which a retry may pass. */
export type Judgement = 'proven' | 'unproven' | 'unsure';

/**
 * Whether the sender is proven and allowed. The list of allowed senders is compared with the name that a
 * check proves: DMARC proves the From header, SPF the envelope, DKIM the signing domain. Otherwise a proof of
 * one name would vouch for another.
 */
export function judge(rules: SenderRules, verdicts: Verdicts, sender: string): Judgement {
  const { requirePass, allowedSenders } = rules;
  const isFromListed =
    verdicts.from.length > 0 && verdicts.from.every((address) => isListedSender(allowedSenders, address));
  if (requirePass === 'none') return 'proven';
  if (requirePass === 'dmarc') {
    if (verdicts.dmarc === 'pass') return isFromListed ? 'proven' : 'unproven';
    return [verdicts.dmarc, verdicts.spf, verdicts.dkim].includes('temperror') ? 'unsure' : 'unproven';
  }
  if (verdicts.spf === 'pass' && isListedSender(allowedSenders, sender)) return 'proven';
  const vouches = allowedSenders.length === 0 || (verdicts.dkimAligned && isFromListed);
  if (verdicts.dkim === 'pass' && vouches) return 'proven';
  return [verdicts.spf, verdicts.dkim].includes('temperror') ? 'unsure' : 'unproven';
}
