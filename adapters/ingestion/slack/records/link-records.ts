// Which person in Slack is which owner: the stored records, and the one-time codes for linking. Pure.
import { randomInt } from 'node:crypto';
import { hashSecret } from '#core/domain/api-key.ts';

/** The adapter's id, in records too. */
export const SLACK = 'slack';

/** Kinds of records in the adapter store. */
export const LINK_KINDS = {
  /** Keyed by {@link codeKey}; of the owner who asked for it. Its value says who uses it. */
  code: 'code',
  /** Keyed by {@link accountKey}; a {@link LinkedAccount} as JSON. */
  account: 'account',
  /** Keyed by the channel's id; a {@link TiedChannel} as JSON. */
  channel: 'channel',
  /** Keyed by the workspace's id; encrypted. */
  install: 'install',
  /** Keyed by the workspace's id: Slack takes nothing from the app there. */
  refused: 'refused',
} as const;

/** A person in a chat who is an owner here. */
export interface LinkedAccount {
  readonly teamId: string;
  readonly teamName: string | null;
  readonly userId: string;
  readonly userName: string | null;
  /** In milliseconds. */
  readonly linkedAt: number;
  /** The id of the request that linked it, so that the same request sent again is not refused. */
  readonly request: string;
}

/** A channel whose tasks all go to one owner. */
export interface TiedChannel {
  readonly channelId: string;
  readonly name: string | null;
  /** Its workspace: empty for that of a configured bot token, null where it was not known. */
  readonly teamId?: string | null;
  /** In milliseconds. */
  readonly tiedAt: number;
}

// Without those that look alike: 0 O, 1 I L.
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const CODE_CHARACTERS = 8;
const CODE_FORM = new RegExp(`^[${CODE_ALPHABET}]{${CODE_CHARACTERS}}$`);

/** A new code: 8 characters of 31 (39 bits), good for minutes and once, in two groups of four. */
export function createLinkCode(): string {
  let code = '';
  for (let at = 0; at < CODE_CHARACTERS; at++)
    code += CODE_ALPHABET[randomInt(CODE_ALPHABET.length)] as string;
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** A code's key in the store, in any spelling; null for a text that cannot be a code. */
export function codeKey(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '');
  return CODE_FORM.test(code) ? hashSecret(code) : null;
}

/** The name of a record of this adapter. */
export function keyOf(kind: string, key: string) {
  return { adapter: SLACK, kind, key };
}

/** The key of a person of a workspace in the store. */
export function accountKey(teamId: string, userId: string): string {
  return `${teamId}:${userId}`;
}

/** The id of a workspace, from the address that a browser shows for a channel; null for another text. */
export function teamIdOf(text: string): string | null {
  return /\/client\/(T[A-Z0-9]+)\/[A-Z0-9]+/.exec(text)?.[1] ?? null;
}

/** The id of a channel, from itself or from its link; null when there is none in it. */
export function channelIdOf(text: string): string | null {
  const inLink = /\/(?:archives|client\/[A-Z0-9]+)\/([A-Z0-9]+)/.exec(text)?.[1];
  const id = inLink ?? text.trim();
  return /^[CG][A-Z0-9]{2,30}$/.test(id) ? id : null;
}
