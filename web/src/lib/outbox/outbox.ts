// Operations that the server has not answered yet: shown at once, stored by the browser, sent once and in
// order. Storage, sending, clock and the other tabs are passed in; React and the page are not known here.
import type { Task } from '#core/contract/index.ts';
import { problemOf, type Problem } from '../api/api-error.ts';
import { createEmitter } from '../emitter.ts';
import { randomHex } from '../random-id.ts';
import { AccountEntries } from './account-entries.ts';
import { ID_BYTES, trimmed, type Entry, type Operation } from './entry.ts';
import { LateSends } from './late-sends.ts';
import { begin, confirm, discard, nextToSend, refuse, complete, withdraw } from './rules.ts';
import type {
  Blocked,
  OutboxListener,
  OutboxMessage,
  OutboxOptions,
  OutboxSnapshot,
  Outcome,
} from './types.ts';
import { createRetry } from './retry.ts';
import { isSame } from './snapshot.ts';
import { createSafeStore, type Rule, type SafeStore } from './store.ts';
import { classifyFailure, type FailureKind } from './classify-failure.ts';

const NOTHING_LEFT: Outcome = { kind: 'answered', tasks: [] };

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #store: SafeStore;
  readonly #entries: AccountEntries;
  readonly #retry: ReturnType<typeof createRetry>;
  readonly #updated = createEmitter();
  readonly #listeners = new Set<OutboxListener>();
  /** The callers that wait for the first outcome of an entry. */
  readonly #awaited = new Map<string, (outcome: Outcome) => void>();
  /** Writes of new entries that are in progress. */
  readonly #writes = new Map<string, Promise<unknown>>();
  readonly #lateSends = new LateSends();
  #blocked: Blocked | null = null;
  #running: Promise<void> | null = null;
  #again = false;
  #snapshot: OutboxSnapshot;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#store = createSafeStore(options.disk);
    this.#entries = new AccountEntries(this.#store, (owner) => options.broadcast({ type: 'changed', owner }));
    this.#retry = createRetry(options.clock, options.random ?? Math.random, () => void this.wake());
    this.#snapshot = { ready: true, durable: this.#store.durable(), entries: [], unsaved: 0, blocked: null };
  }

  getSnapshot = (): OutboxSnapshot => this.#snapshot;

  subscribe = this.#updated.subscribe;

  on(listener: OutboxListener): () => void {
    this.#listeners.add(listener);
    if (listener.caughtUp !== undefined) this.#lateSends.tell(this.#listeners);
    return () => this.#listeners.delete(listener);
  }

  /** Shows and sends the entries of this account; none for null. */
  async setOwner(owner: string | null): Promise<void> {
    if (owner === this.#entries.owner) return;
    this.#entries.setOwner(owner);
    this.#retry.reset();
    for (const id of this.#awaited.keys()) this.#resolve(id, this.#unsent(id));
    this.#blocked = null;
    this.#lateSends.reset();
    this.#publish();
    if (owner === null) return;
    // Something else may read at the same time: what is current now is not what this found.
    for (const { id } of await this.#read()) this.#lateSends.delay(id);
    await this.wake();
  }

  /** Shows it at once. With the `id` of a discarded entry, the server does both once. */
  add(operation: Operation, id = randomHex(ID_BYTES)): { entry: Entry; outcome: Promise<Outcome> } {
    const entry = this.#entryOf(operation, id);
    this.#entries.setOver(id, false);
    this.#entries.addUnsaved(entry);
    this.#publish();
    return { entry, outcome: this.#write(entry) };
  }

  /** Withdraws an entry, or adds `inverse` where the server may have it already. */
  async undo(id: string, inverse: Operation): Promise<Outcome> {
    const entry = this.#entryOf(inverse, randomHex(ID_BYTES));
    this.#entries.setOver(id, true);
    this.#entries.removeUnsaved(id);
    this.#entries.addUnsaved(entry);
    this.#publish();
    await this.#writes.get(id);
    const rule: Rule = (entries) => withdraw(entries, id, trimmed(entry));
    const { after } = await this.#entries.change(entry.owner, rule, true);
    const withdrawn = !after.some((each) => each.id === entry.id);
    // If not, it is sent before its inverse.
    if (withdrawn) this.#resolve(id, NOTHING_LEFT);
    else this.#entries.setOver(id, false);
    return this.#written(entry, withdrawn);
  }

  async problemOf(error: unknown, operation: Operation): Promise<Problem> {
    return problemOf(error, await this.#options.failureText(operation));
  }

  /** Removes an entry that waits or was refused. */
  async discard(id: string): Promise<void> {
    await this.#changeOwn((entries) => discard(entries, id));
    await this.wake();
  }

  /** Sends an entry although it is old. */
  async confirm(id: string): Promise<void> {
    await this.#changeOwn((entries) => confirm(entries, id, this.#options.clock.now()), true);
    await this.wake();
  }

  /** Removes all entries of the owner. */
  async clear(): Promise<void> {
    await this.#changeOwn(() => []);
  }

  /** Sends what can be sent now. `retryNow`: does not wait because of earlier failures. */
  wake(retryNow = false): Promise<void> {
    if (retryNow) this.#retry.sooner();
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Handles a message of another tab. */
  async onMessage(message: OutboxMessage): Promise<void> {
    if (message.type === 'answered') {
      if (!this.#entries.isOver(message.entry.id)) this.#answered(message.entry, message.tasks);
    } else if (message.owner === this.#entries.owner) {
      await this.#read();
      await this.wake();
    }
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      if (this.#entries.owner !== null) await this.#options.withLock(() => this.#sendAll());
    }
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const owner = this.#entries.owner;
      if (owner === null) return;
      await this.#read();
      const next = nextToSend(this.#entries.current(), this.#options.clock.now());
      if (next === undefined) return this.#caughtUp();
      if (!this.#options.isReachable()) return this.#block({ reason: 'offline', message: '' });
      if (this.#retry.mustWait()) return this.#block(this.#blocked ?? { reason: 'busy', message: '' });
      const { after } = await this.#entries.change(owner, (entries) => begin(entries, next.id));
      // Withdrawn meanwhile, or its owner has signed out.
      const entry = after.find(({ id }) => id === next.id);
      if (entry === undefined || owner !== this.#entries.owner || this.#entries.isOver(next.id)) continue;
      if (!(await this.#send(entry))) return;
    }
  }

  /** Returns whether to go on with the next entry. */
  async #send(entry: Entry): Promise<boolean> {
    let tasks: readonly Task[];
    try {
      tasks = await this.#options.perform(entry);
    } catch (error) {
      const verdict = classifyFailure(error, {
        fresh: this.#awaited.has(entry.id),
        attempts: entry.attempts,
      });
      if (verdict.kind === 'never') await this.#refused(entry, error);
      else this.#postpone(verdict);
      return verdict.kind === 'never';
    }
    this.#retry.reset();
    // Before it leaves the store, or another tab would show the state before it for a moment.
    this.#options.broadcast({ type: 'answered', entry, tasks });
    this.#answered(entry, tasks);
    const created = entry.operation.kind === 'create' ? tasks[0] : undefined;
    await this.#entries.change(entry.owner, (entries) => complete(entries, entry.id, created));
    return true;
  }

  #answered(entry: Entry, tasks: readonly Task[]): void {
    this.#entries.setOver(entry.id, true);
    if (entry.owner !== this.#entries.owner) return;
    this.#lateSends.answered(entry.id);
    for (const listener of [...this.#listeners]) listener.answered?.(entry, tasks);
    this.#resolve(entry.id, { kind: 'answered', tasks });
    this.#publish();
  }

  // A caller that still waits handles the refusal; without one it is stored until the person has seen it.
  async #refused(entry: Entry, error: unknown): Promise<void> {
    if (this.#awaited.has(entry.id)) {
      this.#entries.setOver(entry.id, true);
      await this.#entries.change(entry.owner, (entries) => discard(entries, entry.id));
      this.#resolve(entry.id, { kind: 'refused', error });
    } else {
      const problem = await this.problemOf(error, entry.operation);
      await this.#entries.change(entry.owner, (entries) => refuse(entries, entry.id, problem));
    }
    this.#publish();
  }

  #postpone(failure: Exclude<FailureKind, { kind: 'never' }>): void {
    // It is sent when its owner has signed in again.
    if (failure.kind === 'signed-out') return;
    this.#retry.later(failure.retryAfterMs);
    const reason = this.#options.hasNetwork() ? failure.reason : 'offline';
    this.#block({ reason, message: failure.message });
  }

  #block(blocked: Blocked): void {
    this.#blocked = blocked;
    for (const { id } of this.#entries.current()) {
      this.#lateSends.delay(id);
      this.#resolve(id, this.#unsent(id));
    }
    this.#publish();
  }

  #caughtUp(): void {
    this.#blocked = null;
    this.#publish();
    this.#lateSends.caughtUp(this.#listeners);
  }

  async #write(entry: Entry): Promise<Outcome> {
    const written = this.#entries.change(entry.owner, (entries) => [...entries, trimmed(entry)], true);
    this.#writes.set(entry.id, written);
    await written;
    this.#writes.delete(entry.id);
    return this.#written(entry, false);
  }

  // An outcome of "waits" is given only to what is written.
  #written(entry: Entry, withdrawn: boolean): Promise<Outcome> {
    this.#entries.removeUnsaved(entry.id);
    this.#publish();
    let outcome = Promise.resolve(NOTHING_LEFT);
    if (entry.owner !== this.#entries.owner) outcome = Promise.resolve(this.#unsent(entry.id));
    else if (!withdrawn) outcome = new Promise((resolve) => this.#awaited.set(entry.id, resolve));
    void this.wake();
    return outcome;
  }

  #resolve(id: string, outcome: Outcome): void {
    this.#awaited.get(id)?.(outcome);
    this.#awaited.delete(id);
  }

  #unsent(id: string): Outcome {
    return { kind: 'waits', stored: this.#store.isStored(id) };
  }

  async #changeOwn(rule: Rule, firm = false): Promise<void> {
    if (this.#entries.owner === null) return;
    await this.#entries.change(this.#entries.owner, rule, firm);
    this.#publish();
  }

  async #read(): Promise<readonly Entry[]> {
    const found = await this.#entries.read();
    if (found === null) return [];
    // Another tab may have completed or discarded entries that this page waits for.
    for (const id of this.#awaited.keys()) {
      const entry = this.#entries.findStored(id);
      if (entry === undefined) this.#resolve(id, NOTHING_LEFT);
      else if (entry.refusal !== null) this.#resolve(id, { kind: 'waits', stored: true });
    }
    this.#publish();
    return found;
  }

  #entryOf(operation: Operation, id: string): Entry {
    const { owner } = this.#entries;
    if (owner === null) throw new Error('Nobody is signed in');
    const at = this.#options.clock.now();
    return { id, owner, at, operation, attempts: 0, confirmedAt: null, refusal: null };
  }

  #publish(): void {
    const unsaved = this.#entries.unsaved();
    const next: OutboxSnapshot = {
      ready: this.#entries.ready,
      durable: this.#store.durable(),
      entries: [...this.#entries.current(), ...unsaved],
      unsaved: unsaved.length,
      blocked: this.#blocked,
    };
    // Each read publishes, and most find nothing: what has it on the screen is not drawn again for that.
    if (isSame(this.#snapshot, next)) return;
    this.#snapshot = next;
    this.#updated.emit();
  }
}
