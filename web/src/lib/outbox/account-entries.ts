// The entries of the signed-in account: those in the store, and those that are being written to it.
import type { Entry } from './entry.ts';
import type { Changed, Rule, SafeStore } from './store.ts';

export class AccountEntries {
  readonly #store: SafeStore;
  readonly #onChanged: (owner: string) => void;
  /** Answered or withdrawn entries: not shown or sent again, however late the store is. */
  readonly #over = new Set<string>();
  #owner: string | null = null;
  #stored: readonly Entry[] = [];
  #unsaved: readonly Entry[] = [];
  #reads = 0;
  #ready = true;

  /** `onChanged` is called after each change of the store. */
  constructor(store: SafeStore, onChanged: (owner: string) => void) {
    this.#store = store;
    this.#onChanged = onChanged;
  }

  get owner(): string | null {
    return this.#owner;
  }

  /** Whether the store has been read. */
  get ready(): boolean {
    return this.#ready;
  }

  setOwner(owner: string | null): void {
    this.#owner = owner;
    this.#stored = [];
    this.#unsaved = [];
    this.#ready = owner === null;
  }

  /** In the store and not over. */
  current(): readonly Entry[] {
    return this.#stored.filter(({ id }) => !this.#over.has(id));
  }

  /** Not in the store yet. */
  unsaved(): readonly Entry[] {
    const ids = new Set(this.current().map(({ id }) => id));
    return this.#unsaved.filter(({ id }) => !ids.has(id));
  }

  findStored(id: string): Entry | undefined {
    return this.#stored.find((entry) => entry.id === id);
  }

  addUnsaved(entry: Entry): void {
    this.#unsaved = [...this.#unsaved, entry];
  }

  removeUnsaved(id: string): void {
    this.#unsaved = this.#unsaved.filter((entry) => entry.id !== id);
  }

  setOver(id: string, isOver: boolean): void {
    if (isOver) this.#over.add(id);
    else this.#over.delete(id);
  }

  isOver(id: string): boolean {
    return this.#over.has(id);
  }

  /** Applies a rule in the store; `firm` as in {@link EntryStore}. */
  async change(owner: string, rule: Rule, firm = false): Promise<Changed> {
    const result = await this.#store.change(owner, rule, firm);
    if (owner === this.#owner) {
      this.#reads += 1;
      this.#stored = result.after;
    }
    if (result.changed) this.#onChanged(owner);
    return result;
  }

  /** Reads the store: what it has, or null when the owner has changed meanwhile. */
  async read(): Promise<readonly Entry[] | null> {
    const owner = this.#owner;
    if (owner === null) return null;
    this.#reads += 1;
    const read = this.#reads;
    const entries = await this.#store.read(owner);
    if (owner !== this.#owner) return null;
    // A newer state may be known by now.
    if (read === this.#reads) this.#stored = entries;
    this.#ready = true;
    return entries;
  }
}
