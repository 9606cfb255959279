// Looks again whether callers with an open connection may stay, after a key, a session or an account changed.
// An owner is looked up once for all connections, few owners at a time: after a gap of the event bus, which
// asks for everybody, the store is not asked for each connection at once.
import type { EventBus } from '../ports/event-bus.ts';
import type { SignedIn } from './principal.ts';

/** Owners that are looked up at a time. */
const CONCURRENCY = 4;
/** When an owner that could not be looked up is tried again. */
const RETRY_MS = 5000;

/** A connection that was let in. */
export interface Admitted {
  principal: SignedIn;
  /** Ends it: its caller may not stay. */
  shutOut(): void;
}

/** Connections of one kind, by owner. */
export interface AdmittedSource {
  owners(): Iterable<string>;
  of(ownerId: string): Iterable<Admitted>;
}

interface Parts {
  bus: EventBus;
  /** Which of these callers, all of one owner, may stay. */
  stillAllowed: (ownerId: string, principals: readonly SignedIn[]) => Promise<ReadonlySet<SignedIn>>;
  onError: (error: unknown) => void;
}

export type Rechecks = ReturnType<typeof createRechecks>;

export function createRechecks({ bus, stillAllowed, onError }: Parts) {
  const sources = new Set<AdmittedSource>();
  /** Owners whose look has not begun: another change meanwhile asks for no second one. */
  const waiting = new Set<string>();
  const retries = new Set<NodeJS.Timeout>();
  let active = 0;

  const unsubscribe = bus.subscribe((event) => {
    if (event.kind !== 'access') return;
    if (event.userId === null) for (const source of sources) [...source.owners()].forEach(look);
    else look(event.userId);
  });

  function look(ownerId: string): void {
    waiting.add(ownerId);
    while (active < CONCURRENCY && waiting.size > 0) {
      const [next = ''] = waiting;
      waiting.delete(next);
      active++;
      void recheck(next).finally(() => {
        active--;
        const [following] = waiting;
        if (following !== undefined) look(following);
      });
    }
  }

  async function recheck(ownerId: string): Promise<void> {
    const admitted = [...sources].flatMap((source) => [...source.of(ownerId)]);
    if (admitted.length === 0) return;
    try {
      const allowed = await stillAllowed(
        ownerId,
        admitted.map(({ principal }) => principal),
      );
      for (const each of admitted) if (!allowed.has(each.principal)) each.shutOut();
    } catch (error) {
      onError(error);
      const retry = setTimeout(() => {
        retries.delete(retry);
        look(ownerId);
      }, RETRY_MS).unref();
      retries.add(retry);
    }
  }

  return {
    /** The returned function takes the source away. */
    add(source: AdmittedSource): () => void {
      sources.add(source);
      return () => sources.delete(source);
    },
    close(): void {
      unsubscribe();
      waiting.clear();
      for (const retry of retries) clearTimeout(retry);
    },
  };
}
