// What the protocols of other hubs need to show a queue to their clients.
import type { FeedItem } from '#core/domain/feed.ts';
import type { Task } from '#core/domain/task.ts';
import type { OwnerTasks } from '#core/ports/adapter/context.ts';
import type { HttpRequest, HttpScope } from '#core/ports/adapter/http.ts';
import type { IntakeService } from '#core/ports/adapter/intake.ts';
import type { Readers, Subscription } from '#core/ports/adapter/subscription.ts';
import type { Clock } from '#core/ports/clock.ts';

export interface SubscriberDeps {
  http: HttpScope;
  readers: Readers;
  tasks: OwnerTasks;
  intakeService: IntakeService;
  clock: Clock;
}

/** Shows queues to the clients of one protocol. */
export interface SubscriberProtocol {
  /** That of the protocol by which they publish: one switch for both. */
  id: string;
  title: string;
  /** What a person sets up in such a client. `host` is the server's URL. */
  setup: (host: string) => string;
  serve(deps: SubscriberDeps): void;
}

/** What a subscriber is told, and 'idle' whenever nothing came for `waitMs`, until it ends. */
export async function* itemsOf(
  subscription: Subscription,
  waitMs: number,
): AsyncGenerator<FeedItem | 'idle', void> {
  try {
    for (;;) {
      const item = await subscription.next(waitMs);
      if (item === null) return;
      yield item;
    }
  } finally {
    subscription.close();
  }
}

/** A task as a title and a text: its first line is the title where there are more. */
export function textOf({ content, occurrences }: Task): { title: string; text: string } {
  const end = content.indexOf('\n');
  const [title, text] = end === -1 ? ['', content] : [content.slice(0, end), content.slice(end + 1).trim()];
  return { title, text: occurrences === 1 ? text : `${text}\n(reported ${occurrences} times)` };
}

/** The link of a task; empty for none. */
export function linkOf({ metadata: { url } }: Task): string {
  return typeof url === 'string' ? url : '';
}

/** The intake that a task came through; null for none. */
export function intakeOf({ metadata: { intake } }: Task): { id: string; name: string } | null {
  if (typeof intake !== 'object' || intake === null) return null;
  const { id, name } = intake as { id?: unknown; name?: unknown };
  return typeof id === 'string' && typeof name === 'string' ? { id, name } : null;
}

/** The first of the parameters that is given, as header or in the query; empty for none. */
export function parameter({ headers, query }: HttpRequest, ...names: string[]): string {
  const given = names.flatMap((name) => [headers[name], query[name]]);
  return given.find((value) => value !== undefined && value !== '') ?? '';
}
