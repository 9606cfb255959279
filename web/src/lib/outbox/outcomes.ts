// The outcomes of entries, for callers that wait for them.
import type { Outcome } from './types.ts';

export class Outcomes {
  readonly #resolvers = new Map<string, (outcome: Outcome) => void>();

  /** Resolves with the first outcome of the entry from now on. */
  next(id: string): Promise<Outcome> {
    return new Promise((resolve) => this.#resolvers.set(id, resolve));
  }

  isAwaited(id: string): boolean {
    return this.#resolvers.has(id);
  }

  awaitedIds(): readonly string[] {
    return [...this.#resolvers.keys()];
  }

  resolve(id: string, outcome: Outcome): void {
    this.#resolvers.get(id)?.(outcome);
    this.#resolvers.delete(id);
  }
}
