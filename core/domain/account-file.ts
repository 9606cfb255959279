// What the file of an account says of tasks, intakes and webhooks, and what becomes of that in another
// account: ids that are taken there are replaced, always by the same ones.
import { hash } from 'node:crypto';
import {
  GRACE_MS,
  MAX_EXPIRY_MINUTES,
  type FileIntake,
  type FileTask,
  type FileWebhook,
} from '../contract/index.ts';
import { isBlank } from './blank.ts';
import { somethingFrom } from './delivery.ts';
import { base62 } from './ids.ts';
import type { IntakeRecord } from './intake.ts';
import { readTime } from './read-time.ts';
import { isSnoozed } from './snooze.ts';
import { isVisible, type Task } from './task.ts';
import type { WebhookRecord } from './webhook.ts';

const TIME_CHARACTERS = 11;
const RANDOM_CHARACTERS = 11;
const LONGEST_MS = MAX_EXPIRY_MINUTES * 60_000;

/**
 * The id, in the account of `ownerId`, of what a file calls `id`: the same for each time that the file is
 * taken in, of the same age, and nobody else's. `round` makes another one, where that one is in use.
 */
export function importedId(ownerId: string, id: string, round: number): string {
  const [prefix = '', text = ''] = id.split('_', 2);
  const time = /^[0-9A-Za-z]{11}/.exec(text)?.[0] ?? base62(0, TIME_CHARACTERS);
  const digest = Buffer.from(hash('sha256', `${ownerId} ${id} ${round}`), 'hex');
  const characters = [...digest.subarray(0, RANDOM_CHARACTERS)].map((byte) => base62(byte % 62, 1));
  return `${prefix}_${time}${characters.join('')}`;
}

const iso = (time: number): string => new Date(time).toISOString();

/** A live task as the file has it. */
export function toFileTask(task: Task): FileTask {
  const { id, content, priority, source, pinned, metadata, tags, version, occurrences, reopens } = task;
  return {
    id,
    content,
    priority,
    source,
    pinned,
    metadata,
    version,
    occurrences,
    reopens,
    tags: [...tags],
    createdAt: iso(task.createdAt),
    updatedAt: iso(task.updatedAt),
    expiresAt: iso(task.expiresAt),
    snoozedUntil: task.snoozedUntil === null ? null : iso(task.snoozedUntil),
    lastOccurredAt: iso(task.lastOccurredAt),
    ...(task.dedupeKey === null ? {} : { dedupeKey: task.dedupeKey }),
    ...(task.intake === null ? {} : { intake: { ...task.intake } }),
  };
}

/** The text of a task of a file. Older servers took texts in which nothing is seen. */
export function contentOf({ content, intake }: Pick<FileTask, 'content' | 'intake'>): string {
  if (!isBlank(content)) return content;
  return intake === undefined ? 'A task without a text' : somethingFrom(intake);
}

/**
 * The task of a file in the account of `ownerId`, with its times, as far as a task may have them; null when
 * its time is up. `idOf` says what an intake of the file is called there.
 */
export function fromFileTask(
  from: FileTask,
  { ownerId, now, idOf }: { ownerId: string; now: number; idOf: (intake: string) => string },
): Task | null {
  const { id, priority, source, pinned, metadata, tags, version, occurrences, reopens } = from;
  // The clock of another server may be ahead.
  const past = (time: string) => Math.min(readTime(time) ?? now, now);
  const wake = from.snoozedUntil === null ? null : readTime(from.snoozedUntil);
  const snoozedUntil = wake === null ? null : Math.min(wake, now + LONGEST_MS);
  const latest = Math.max(now, snoozedUntil ?? now) + LONGEST_MS;
  const task: Task = {
    id,
    ownerId,
    content: contentOf(from),
    priority,
    source,
    pinned,
    metadata,
    tags,
    version,
    occurrences,
    reopens,
    createdAt: past(from.createdAt),
    updatedAt: past(from.updatedAt),
    expiresAt: Math.min(readTime(from.expiresAt) ?? now, latest),
    snoozedUntil,
    lastOccurredAt: past(from.lastOccurredAt),
    dedupeKey: from.dedupeKey ?? null,
    acknowledgedAt: null,
    intake: from.intake === undefined ? null : { ...from.intake, id: idOf(from.intake.id) },
  };
  if (!isVisible(task, now)) return null;
  if (snoozedUntil === null || pinned || !isSnoozed(task, now)) return task;
  // One that sleeps has time left when it wakes: stores count on that.
  return { ...task, expiresAt: Math.max(task.expiresAt, snoozedUntil + GRACE_MS) };
}

/** An intake without its address and secrets; `secrets` are the names of those that it has. */
export function toFileIntake(intake: IntakeRecord, secrets: readonly string[]): FileIntake {
  const { id, name, adapter, preset, mapping, settings, defaults, events, reopens, hourlyCap, paused } =
    intake;
  const { scheme, options } = intake.verification;
  return {
    id,
    name,
    adapter,
    preset,
    mapping,
    reopens,
    hourlyCap,
    paused,
    settings: { ...settings },
    defaults: {
      ...defaults,
      ...(defaults.tags === undefined ? {} : { tags: [...defaults.tags] }),
    } as NonNullable<FileIntake['defaults']>,
    events: [...events],
    verification: { scheme, options: { ...options }, secrets: [...secrets] },
  };
}

/** A webhook without its secret. */
export function toFileWebhook({ id, name, url, events, filter, paused }: WebhookRecord): FileWebhook {
  const { priorities, intakes, tags } = filter;
  return {
    id,
    name,
    url,
    paused,
    events: [...events],
    filter: { priorities: [...priorities], intakes: [...intakes], tags: [...tags] },
  };
}
