// Makes tasks of a parsed delivery: with the intake's defaults, inside all limits, and with dedupe keys that
// no other intake shares.
import {
  DEFAULT_EXPIRY_MINUTES,
  MAX_BATCH_ITEMS,
  MAX_EXPIRY_MINUTES,
  MAX_KEY_CHARACTERS,
} from '../contract/index.ts';
import type { Priority } from '../contract/index.ts';
import { fitContent, fitMetadata, fitTags, fitUrl } from './fit.ts';
import { fingerprintOf, wellFormedKey } from './hash.ts';
import { wantsEvent, type IntakeRecord } from './intake.ts';
import type { Metadata, TaskDraft } from './task.ts';
import { maskUrlCredentials } from './url-credentials.ts';

/** One task that a delivery speaks of. Texts are clipped to the limits of a task by the program. */
export interface ParsedTask {
  /** What happened, as a person would have written it; not blank. */
  content: string;
  priority?: Priority;
  tags?: readonly string[];
  /** Where to click; only `http:` and `https:` are stored, as `metadata.url`. */
  url?: string;
  /** Facts beside the content; what does not fit 16 KiB is shortened by the program, longest texts first. */
  metadata?: Metadata;
  /** 1..10080. */
  expiryMinutes?: number;
  /** What repeats of the same thing have in common, 1..255 characters. */
  dedupeKey?: string;
  /** Whether it takes the place of what the task with its dedupe key says. */
  replaces?: boolean;
}

/** What one delivery says. At most 500 tasks; of an intake, at most 5,000 resolved keys. */
export interface ParsedDelivery {
  tasks: readonly ParsedTask[];
  /** Dedupe keys of tasks that are over: acknowledged by the program, before the tasks are made. */
  resolves: readonly string[];
  /** Event type as the sender names it, with its verb (`pull_request.opened`); for the intake's filter. */
  event?: string;
  /** Why there is nothing to do (a ping, say), for the owner; only with neither tasks nor resolves. */
  ignored?: string;
  /** What went wrong while reading, for the owner, when `tasks` are only a summary made instead. */
  failed?: string;
}

/** What decides how readings become tasks: an intake, or an adapter whose senders have none. */
export interface DeliveryPolicy extends Pick<IntakeRecord, 'id' | 'name' | 'defaults' | 'reopens'> {
  /** Whether tasks say which intake they came through. */
  isIntake: boolean;
}

/** What an intake makes of a parsed delivery. */
export interface DeliveryContent {
  drafts: TaskDraft[];
  /** Dedupe keys of tasks that are over. */
  resolves: string[];
  /** Why the delivery is ignored, for the owner: its event is filtered out, or there is nothing to do. */
  ignored: string | null;
}

/**
 * Applies an intake's filter, defaults and limits. `source` is that of its adapter's tasks. The drafts name
 * the intake only with a `deliveryId`: without one nothing is delivered.
 */
export function contentOf(
  parsed: ParsedDelivery,
  intake: IntakeRecord,
  source: string,
  deliveryId?: string,
): DeliveryContent {
  const { id, name, defaults, reopens, events } = intake;
  const policy = { id, name, defaults, reopens, isIntake: true };
  const { event = null } = parsed;
  const drafts = toDrafts(parsed.tasks, policy, source);
  return {
    drafts:
      deliveryId === undefined
        ? drafts
        : drafts.map((draft) => ({ ...draft, intake: { id, name, deliveryId } })),
    resolves: toResolvedKeys(parsed.resolves, policy),
    ignored: wantsEvent(events, event)
      ? (parsed.ignored ?? null)
      : `Events of type ${event} are not among those that this intake takes.`,
  };
}

/** The drafts of a delivery's tasks, at most 500. */
export function toDrafts(tasks: readonly ParsedTask[], intake: DeliveryPolicy, source: string): TaskDraft[] {
  return tasks.slice(0, MAX_BATCH_ITEMS).map((task) => toDraft(task, intake, source));
}

/** The dedupe keys that a delivery resolves as they are stored, each once. */
export function toResolvedKeys(keys: readonly string[], intake: DeliveryPolicy): string[] {
  return [...new Set(keys)].map((key) => scopedKey(intake, key));
}

/** The content of a task of an intake, where its sender gave it none in which something is seen. */
export function somethingFrom({ name }: Pick<DeliveryPolicy, 'name'>): string {
  return `Something arrived at ${name}`;
}

function toDraft(task: ParsedTask, intake: DeliveryPolicy, source: string): TaskDraft {
  const { defaults, reopens } = intake;
  // Credentials in addresses are masked in what machines send, not in what people write into a chat.
  const shownText = intake.isIntake ? maskUrlCredentials : (text: string) => text;
  const url = fitUrl(task.url);
  return {
    content: fitContent(shownText(task.content), somethingFrom(intake)),
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
    ...(task.replaces === true ? { replaces: true } : {}),
  };
}

function minutes(wanted: number): number {
  return Number.isFinite(wanted)
    ? Math.min(MAX_EXPIRY_MINUTES, Math.max(1, Math.round(wanted)))
    : DEFAULT_EXPIRY_MINUTES;
}

// A key carries its intake, because senders choose the same ones; a long key becomes its fingerprint.
function scopedKey({ id }: DeliveryPolicy, given: string): string {
  const key = wellFormedKey(given);
  const scoped = `${id}:${key}`;
  return scoped.length <= MAX_KEY_CHARACTERS ? scoped : `${id}:${fingerprintOf(key)}`;
}
