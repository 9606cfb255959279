// The digest: what expired without anybody having acknowledged it, once a day. Each task that expires leaves
// a line, as work that is over, in the atomic write of its expiry; the digest itself is work that is due at
// the owner's hour.
import { clipFirstLine } from '../text/clean-text.ts';
import type { Digest } from '../contract/index.ts';
import type { TaskEvent } from './task-event.ts';
import { minutesOfDay, momentOf, wallTime } from './time-zone.ts';
import { MOST_OVER, newWork, RETRIED_FOR_MS, type NewWork, type Work } from './work.ts';

export type { Digest };

/** The kind of the work of a digest. */
export const DIGEST_WORK = 'digest';
/** What the task of a digest says in its metadata. It is in no digest itself. */
export const DIGEST_MARK = 'digest';
/** The key of work that is a line. */
const LINE = 'line';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MAX_LINE_CHARACTERS = 200;
/** The most lines that are read for one digest. */
export const MAX_LINES = MOST_OVER;

/** A task that expired. */
export interface DigestLine {
  readonly text: string;
  readonly priority: string;
  readonly from: string;
  /** In milliseconds. */
  readonly expiredAt: number;
}

/**
 * The first moment after `after` at which clocks in the zone show the hour of the digest: once on each day,
 * also on those on which clocks change.
 */
export function nextDigest({ time, zone }: Pick<Digest, 'time' | 'zone'>, after: number): number {
  const today = Math.floor(wallTime(zone, after) / DAY_MS);
  for (let day = today - 1; ; day++) {
    const moment = momentOf(zone, day * DAY_MS + minutesOfDay(time) * MINUTE_MS);
    if (moment > after) return moment;
  }
}

/** The last moment until `now` at which clocks in the zone showed the hour of the digest. */
export function latestDigest(digest: Pick<Digest, 'time' | 'zone'>, now: number): number {
  let latest = nextDigest(digest, now - 2 * DAY_MS);
  for (let next = latest; next <= now; next = nextDigest(digest, next)) latest = next;
  return latest;
}

/** When the day after that of `at` begins in the zone. */
export function dayAfter(zone: string, at: number): number {
  return momentOf(zone, (Math.floor(wallTime(zone, at) / DAY_MS) + 1) * DAY_MS);
}

/** The lane of the digests of an owner. */
export function digestLane(ownerId: string): string {
  return `digest_${ownerId}`;
}

/**
 * When the lines of the digest that is due at `due` count as over: no earlier than its sending is given up.
 * They are removed 24 hours later, so that a digest finds them after a weekend without the relay for mail.
 */
function lineEnds(due: number): number {
  return due + RETRIED_FOR_MS;
}

/** The id of the work that sends the digest of `due` in one of its ways. */
export function digestId(due: number, to: Digest['to'][number]): string {
  return `${due} ${to}`;
}

/**
 * The line that a task leaves when it expires, and the digest that it belongs to: the next one, that is not
 * before `from`.
 */
export function digestWork(digest: Digest | null, { type, task, at }: TaskEvent, from = 0): NewWork[] {
  if (digest === null || type !== 'task.expired' || task.metadata[DIGEST_MARK] === true) return [];
  const { id, ownerId, content, priority, intake, source } = task;
  const due = nextDigest(digest, Math.max(at, from - 1));
  const lane = digestLane(ownerId);
  const line = {
    text: clipFirstLine(content, MAX_LINE_CHARACTERS),
    priority,
    from: intake?.name ?? source,
    expiredAt: at,
  } satisfies DigestLine;
  const about = { kind: DIGEST_WORK, ownerId, lane, sequence: 0 };
  return [
    {
      ...newWork({ ...about, id, key: LINE, payload: JSON.stringify(line) }, at),
      status: 'done',
      dueAt: null,
      endedAt: lineEnds(due),
    },
    ...digest.to.map((to) => {
      const name = digestId(due, to);
      return newWork({ ...about, id: name, key: name, payload: JSON.stringify({ to }) }, due);
    }),
  ];
}

/** The lines of the digest that is due at `due`, of the work of its lane, the oldest first. */
export function linesOf(work: readonly Work[], due: number): DigestLine[] {
  return work
    .filter(({ key, endedAt }) => key === LINE && endedAt === lineEnds(due))
    .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .map(({ payload }) => JSON.parse(payload) as DigestLine);
}

/** The most lines that a digest shows. */
const MAX_SHOWN = 50;

/** What a digest says: a heading, and the lines. */
export function digestText(lines: readonly DigestLine[]): { title: string; body: string } {
  const count = lines.length >= MAX_LINES ? `${MAX_LINES} tasks or more` : `${lines.length} tasks`;
  const title = `${lines.length === 1 ? '1 task' : count} expired unseen`;
  const shown = lines.slice(-MAX_SHOWN).map(({ text, from }) => `- ${text} (${from})`);
  const left = lines.length - shown.length;
  return { title, body: [...shown, ...(left > 0 ? [`and ${left} before them`] : [])].join('\n') };
}
