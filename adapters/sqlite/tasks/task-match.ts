// Whether a stored task matches a filter. SQL sorts out most rows by the text of a column, some of which is
// JSON; what that leaves open is decided by the parsed values.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { createTextSearch, lowerAscii, plainPartOf } from '#core/domain/text-search.ts';
import { LIVE, PINNED } from '#core/domain/task-state.ts';
import { PRIORITY_RANK } from '#core/domain/task.ts';
import type { TaskFilter } from '#core/ports/task-store.ts';
import { prepareArrays } from '../database.ts';
import { readIntake, readMetadata, readTags } from './task-rows.ts';

/** What `matched` of {@link scanOf} is; else 0. */
export const MATCHES = 1;
/** The parsed values decide, see {@link createTaskMatch}. */
export const MAY_MATCH = 2;

interface ScanConditions {
  /** A result column, so that the time of a scan is checked after each task and not only after a match. */
  matched: string;
  /** Conditions on columns of the index. */
  where: string;
  /** Of `matched`. */
  parameters: SQLInputValue[];
}

export function scanOf(filter: TaskFilter, now: number): ScanConditions {
  const { source, tags = [], intake, text } = filter;
  const conditions = [
    `(state = ${PINNED} OR expires_at > ?)`,
    filter.snoozed === true ? 'wake_at > ?' : '(wake_at IS NULL OR wake_at <= ?)',
  ];
  const parameters: SQLInputValue[] = [now, now];
  if (source !== undefined) {
    conditions.push('source = ?');
    parameters.push(source);
  }
  for (const tag of tags) {
    conditions.push('instr(tags, ?) > 0');
    parameters.push(JSON.stringify(tag));
  }
  if (intake !== undefined) {
    conditions.push('instr(lower(intake), ?) > 0');
    parameters.push(lowerAscii(JSON.stringify(intake)));
  }
  const found = tags.length > 0 || intake !== undefined ? MAY_MATCH : MATCHES;
  let matched = `${found}`;
  if (text !== undefined) {
    // instr and not LIKE: it needs no escaping and searches beyond a NUL.
    const plain = plainPartOf(text);
    const inJson = JSON.stringify(plain).slice(1, -1);
    const isWhole = plain === lowerAscii(text);
    matched =
      `CASE WHEN instr(lower(content), ?) > 0 THEN ${isWhole ? found : MAY_MATCH} WHEN instr(lower(tags), ?) > 0 ` +
      'OR instr(lower(source), ?) > 0 OR instr(lower(metadata), ?) > 0 OR instr(lower(intake), ?) > 0 ' +
      `THEN ${MAY_MATCH} ELSE 0 END`;
    parameters.push(plain, inJson, plain, inJson, inJson);
  }
  const state = filter.pinned === undefined ? 'state > 0' : `state = ${filter.pinned ? PINNED : LIVE}`;
  const priority = filter.priority === undefined ? '' : ` AND priority = ${PRIORITY_RANK[filter.priority]}`;
  return {
    matched: `CASE WHEN ${conditions.join(' AND ')} THEN ${matched} ELSE 0 END`,
    where: state + priority,
    parameters,
  };
}

type Texts = readonly [
  content: string,
  source: string,
  tags: string | null,
  metadata: string | null,
  intake: string | null,
];

/** Decides on rows that may match, by their numbers: on what `matched` of {@link scanOf} leaves open. */
export function createTaskMatch(db: DatabaseSync): (filter: TaskFilter) => (seq: number) => boolean {
  const find = prepareArrays<Texts>(
    db,
    'SELECT content, source, tags, metadata, intake FROM tasks WHERE seq = ?',
  );

  return ({ tags: wanted = [], intake: through, text }) => {
    const isFound = text === undefined ? null : createTextSearch(text);
    const name = through === undefined ? undefined : lowerAscii(through);
    return (seq) => {
      const row = find.get(seq);
      if (row === undefined) return false;
      const tags = readTags(row[2]);
      if (!wanted.every((tag) => tags.includes(tag))) return false;
      const intake = readIntake(row[4]);
      if (name !== undefined && intake?.id !== through && lowerAscii(intake?.name ?? '') !== name)
        return false;
      if (isFound === null) return true;
      return isFound({ content: row[0], source: row[1], tags, metadata: readMetadata(row[3]), intake });
    };
  };
}
