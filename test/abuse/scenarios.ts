// What one caller may do to the others, and what is promised of it: see docs/security.md.
import type { Filling } from './stage.ts';

export interface Scenario {
  title: string;
  /** Script in `abusers/`. */
  abuser: 'unread' | 'passwords' | 'searches' | 'forgeries' | 'idle';
  /** What its queue is filled with before. */
  filling?: Filling;
  /** It says when it was refused first, and goes on until then. */
  saysRefused?: true;
  /** By more than this the server's memory never grows, in MiB. */
  boundMiB: number;
  /** Answers that the abuser must get, and no other. */
  answers: RegExp;
  /** One that it must get, too: without it there was no harm to begin with. */
  refusals: RegExp;
}

export const SCENARIOS: readonly Scenario[] = [
  {
    title: 'unread answers',
    abuser: 'unread',
    filling: { tasks: 1000, characters: 9000, metadataCharacters: 15_000 },
    boundMiB: 192,
    answers: /^(?:200|429|503|cut off|held to the end)$/,
    refusals: /^(?:429|503|cut off)$/,
  },
  {
    title: 'guessed passwords',
    abuser: 'passwords',
    boundMiB: 96,
    answers: /^(?:401|429|503)$/,
    refusals: /^(?:429|503)$/,
  },
  {
    title: 'searches',
    abuser: 'searches',
    filling: { tasks: 30_000, characters: 1000 },
    boundMiB: 128,
    answers: /^(?:200|429|503)$/,
    refusals: /^(?:429|503)$/,
  },
  {
    title: 'forged deliveries',
    abuser: 'forgeries',
    boundMiB: 96,
    answers: /^(?:401|429|503)$/,
    refusals: /^401$/,
  },
  {
    title: 'idle connections',
    abuser: 'idle',
    saysRefused: true,
    boundMiB: 160,
    answers:
      /^(?:mail: (?:(?:220|421), )?(?:open|closed)|HTTP: (?:(?:408|503), )?(?:open|closed)|live: (?:open|429|503))$/,
    refusals: /^mail: 421/,
  },
];
