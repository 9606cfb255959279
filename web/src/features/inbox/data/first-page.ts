// The plain list's first page, fetched while most of the inbox's code is still on its way, and handed on
// to the query that takes over.
import type { SessionState } from '../../../lib/session/session.ts';
import { NO_FILTER, PAGE_SIZE, type FetchedPage, type Filter, type Page } from '../model/page.ts';
import { httpBackend } from './http-task-reader.ts';

interface First {
  owner: string;
  answer: Promise<FetchedPage>;
  page: FirstPage | null;
}

/** The same object at each call, as the query wants it. */
export interface FirstPage {
  page: Page;
  /** When it came, as `Date.now()`. */
  at: number;
}

let first: First | null = null;

/** Whose tasks are fetched, as a name. */
export function ownerOf({ method, user }: Pick<SessionState, 'method' | 'user'>): string {
  return `${method}:${user?.id ?? ''}`;
}

/** Asked for once for all who want it, until it is dropped. Rejects as the call does. */
export async function fetchFirstPage(owner: string): Promise<FetchedPage> {
  if (first?.owner === owner) return first.answer;
  const answer = httpBackend.list(NO_FILTER, PAGE_SIZE, new AbortController().signal);
  const mine: First = { owner, answer, page: null };
  first = mine;
  const page = await answer;
  mine.page = { page: { ...page, asOf: 0 }, at: Date.now() };
  return page;
}

/** The page for who asks the same, until it is dropped. */
export function firstPageOf(owner: string, filter: Filter, limit: number): FirstPage | undefined {
  return isSame(owner, filter, limit) ? (first?.page ?? undefined) : undefined;
}

/** The answer, once, while it has not come and when it never will. */
export function takeFirstAnswer(
  owner: string,
  filter: Filter,
  limit: number,
): Promise<FetchedPage> | undefined {
  if (first === null || first.page !== null || !isSame(owner, filter, limit)) return undefined;
  const { answer } = first;
  first = null;
  return answer;
}

/** There is a newer one, or nobody shows it any more. */
export function dropFirstPage(): void {
  first = null;
}

function isSame(owner: string, filter: Filter, limit: number): boolean {
  return (
    first?.owner === owner && limit === PAGE_SIZE && JSON.stringify(filter) === JSON.stringify(NO_FILTER)
  );
}
