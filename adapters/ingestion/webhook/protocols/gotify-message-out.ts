// Tasks as messages of Gotify, whose ids are whole numbers that grow.
import { createHash } from 'node:crypto';
import type { Priority } from '#core/contract/index.ts';
import { idsOfTime } from '#core/domain/feed.ts';
import { partsOfId } from '#core/domain/ids.ts';
import type { Task } from '#core/domain/task.ts';
import { intakeOf, linkOf, textOf } from './subscriber.ts';

/** The application of tasks without an intake. */
export const OWN_APPLICATION = 1;
/**
 * A number has 53 bits, since many clients read JSON's numbers as doubles: 39 of milliseconds since 2024
 * (until 2041), 10 of the sequence within one, and 4 random ones.
 */
const EPOCH = Date.UTC(2024, 0);
const SEQUENCE = 2 ** 10;
const RANDOM = 2 ** 4;
const PRIORITIES: Readonly<Record<Priority, number>> = { high: 8, normal: 5, low: 2 };

export interface GotifyMessage {
  id: number;
  appid: number;
  message: string;
  title: string;
  priority: number;
  date: string;
  extras?: object;
}

/** The number of a task. Two that different processes made in one millisecond share it, rarely. */
export function numberOf(taskId: string): number {
  const { time, sequence, random } = partsOfId(taskId);
  return (Math.max(0, time - EPOCH) * SEQUENCE + (sequence % SEQUENCE)) * RANDOM + (random % RANDOM);
}

/** The range of ids in which those with this number are. */
export function idsWithNumber(number: number): { after: string; before: string } {
  return idsOfTime(EPOCH + Math.floor(number / (SEQUENCE * RANDOM)));
}

/** The application that an intake is: a number above that of the own one. */
export function numberOfIntake(intakeId: string): number {
  return 2 + (createHash('sha256').update(intakeId).digest().readUInt32BE() >>> 1);
}

export function messageOf(task: Task): GotifyMessage {
  const { title, text } = textOf(task);
  const intake = intakeOf(task);
  const url = linkOf(task);
  return {
    id: numberOf(task.id),
    appid: intake === null ? OWN_APPLICATION : numberOfIntake(intake.id),
    message: text,
    title: title === '' ? (intake?.name ?? 'Qinbox') : title,
    priority: PRIORITIES[task.priority],
    date: new Date(task.lastOccurredAt).toISOString(),
    ...(url === '' ? {} : { extras: { 'client::notification': { click: { url } } } }),
  };
}
