// What an intake makes of what was read: the tasks that a reading stands for, with the intake's defaults, inside all limits,
// and dedupe keys that no other intake shares.
import {
  DEFAULT_EXPIRY_MINUTES,
  MAX_BATCH_ITEMS,
  MAX_EXPIRY_MINUTES,
  MAX_KEY_CHARACTERS,
} from '../contract/index.ts';
import type { Priority } from '../contract/index.ts';
import { fitContent, fitMetadata, fitTags, fitUrl } from './fit.ts';
import { fingerprintOf, wellFormedKey } from './hash.ts';
import type { IntakeRecord } from './intake.ts';
import type { Metadata, TaskDraft } from './task.ts';
import { maskUrlCredentials } from './url-credentials.ts';

/** One task that a delivery speaks of, as its adapter read it. */
export interface ReadDraft {
  content: string;
  priority?: Priority;
  tags?: readonly string[];
  url?: string;
  metadata?: Metadata;
  expiryMinutes?: number;
  dedupeKey?: string;
}

/** What decides how readings become tasks: an intake, or an adapter whose senders have none. */
export interface Policy extends Pick<IntakeRecord, 'id' | 'name' | 'defaults' | 'reopens'> {
  /** Whether tasks say which intake they came through. */
  isIntake: boolean;
}

/** The policy of an intake. */
export function policyOf({ id, name, defaults, reopens }: IntakeRecord): Policy {
  return { id, name, defaults, reopens, isIntake: true };
}

/** The drafts of a delivery's tasks, at most 500. */
export function toDrafts(tasks: readonly ReadDraft[], intake: Policy, source: string): TaskDraft[] {
  return tasks.slice(0, MAX_BATCH_ITEMS).map((task) => toDraft(task, intake, source));
}

/** The dedupe keys that a delivery closes, at most 500. */
export function toCloses(keys: readonly string[], intake: Policy): string[] {
  return [...new Set(keys)].slice(0, MAX_BATCH_ITEMS).map((key) => scopedKey(intake, key));
}

function toDraft(task: ReadDraft, intake: Policy, source: string): TaskDraft {
  const { defaults, reopens } = intake;
  // What a person writes into a chat is theirs; what a machine sends is shown without the passwords in its addresses.
  const shownText = intake.isIntake ? maskUrlCredentials : (text: string) => text;
  const url = fitUrl(task.url);
  return {
    content: fitContent(shownText(task.content), `Something arrived at ${intake.name}`),
    priority: task.priority ?? defaults.priority ?? 'normal',
    source,
    tags: fitTags([...(task.tags ?? []).map(shownText), ...(defaults.tags ?? [])]),
    metadata: fitMetadata(
      {
        ...task.metadata,
        ...(url === null ? {} : { url }),
        ...(intake.isIntake ? { intake: { id: intake.id, name: intake.name } } : {}),
      },
      shownText,
    ),
    expiryMinutes: minutes(task.expiryMinutes ?? defaults.expiryMinutes ?? DEFAULT_EXPIRY_MINUTES),
    dedupeKey:
      task.dedupeKey === undefined || task.dedupeKey === '' ? null : scopedKey(intake, task.dedupeKey),
    reopens,
  };
}

function minutes(wanted: number): number {
  return Number.isFinite(wanted)
    ? Math.min(MAX_EXPIRY_MINUTES, Math.max(1, Math.round(wanted)))
    : DEFAULT_EXPIRY_MINUTES;
}

// One sender's "disk full" is not another's, so a key carries its intake; one that is too long becomes its fingerprint.
function scopedKey({ id }: Policy, given: string): string {
  const key = wellFormedKey(given);
  const scoped = `${id}:${key}`;
  return scoped.length <= MAX_KEY_CHARACTERS ? scoped : `${id}:${fingerprintOf(key)}`;
}
