// Counts the entries that had to wait and have been sent since, until somebody is told.
import type { OutboxListener } from './types.ts';

export class LateSends {
  /** Entries that could not be sent at once. */
  readonly #delayed = new Set<string>();
  #sent = 0;
  /** Of these, what nobody has been told: the page sends before all of its code is there. */
  #untold = 0;

  delay(id: string): void {
    this.#delayed.add(id);
  }

  /** To be called for each entry that was sent. */
  answered(id: string): void {
    if (this.#delayed.delete(id)) this.#sent += 1;
  }

  /** Nothing waits any more. */
  caughtUp(listeners: Iterable<OutboxListener>): void {
    this.#untold += this.#sent;
    this.#sent = 0;
    this.tell(listeners);
  }

  /** Tells what nobody was told, if there is a listener that asks. */
  tell(listeners: Iterable<OutboxListener>): void {
    const sent = this.#untold;
    const asking = [...listeners].filter(({ caughtUp }) => caughtUp !== undefined);
    if (sent === 0 || asking.length === 0) return;
    this.#untold = 0;
    for (const listener of asking) listener.caughtUp?.(sent);
  }

  /** For another account. Entries that had to wait stay known. */
  reset(): void {
    this.#sent = 0;
    this.#untold = 0;
  }
}
