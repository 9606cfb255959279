// What was done here and the server has still to hear of: shown at once, kept by the browser, sent in order, once. Knows
// nothing of React or of the page; how things are kept and sent, its clock and the other tabs are handed in.
import type { Task } from '#core/contract/index.ts';
import { problemOf, type Problem } from '../api/api-error.ts';
import { randomId, trimmed, type Entry, type Operation } from './entry.ts';
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
import { createSafeStore, type Changed, type Rule, type SafeStore } from './store.ts';
import { classifyFailure, type FailureKind } from './classify-failure.ts';

const NOTHING_LEFT: Outcome = { kind: 'answered', tasks: [] };

export class Outbox {
  readonly #parts: OutboxOptions;
  readonly #store: SafeStore;
  readonly #retry: ReturnType<typeof createRetry>;
  readonly #subscribers = new Set<() => void>();
  readonly #listeners = new Set<OutboxListener>();
  /** Whoever in this page wants to hear what becomes of an entry. */
  readonly #waiters = new Map<string, (outcome: Outcome) => void>();
  /** On their way into the store. */
  readonly #keeping = new Map<string, Promise<unknown>>();
  /** Answered or taken back: not to be shown or sent again, however late the store is. */
  readonly #over = new Set<string>();
  /** Had to wait before they were sent. */
  readonly #delayed = new Set<string>();
  #owner: string | null = null;
  #ready = true;
  #stored: readonly Entry[] = [];
  /** Shown already, not in the store yet. */
  #arriving: readonly Entry[] = [];
  #blocked: Blocked | null = null;
  #sent = 0;
  #running: Promise<void> | null = null;
  #again = false;
  #reads = 0;
  #snapshot: OutboxSnapshot;

  constructor(parts: OutboxOptions) {
    this.#parts = parts;
    this.#store = createSafeStore(parts.disk);
    this.#retry = createRetry(parts.clock, parts.random ?? Math.random, () => void this.wake());
    this.#snapshot = { ready: true, durable: this.#store.durable(), entries: [], unsaved: 0, blocked: null };
  }

  getSnapshot = (): OutboxSnapshot => this.#snapshot;

  subscribe = (subscriber: () => void): (() => void) => {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  };

  on(listener: OutboxListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whose changes these are; null for nobody's, and then none are shown or sent. */
  async setOwner(owner: string | null): Promise<void> {
    if (owner === this.#owner) return;
    this.#owner = owner;
    this.#retry.reset();
    for (const id of this.#waiters.keys()) this.#tell(id, { kind: 'waits', kept: this.#store.isStored(id) });
    this.#stored = [];
    this.#arriving = [];
    this.#blocked = null;
    this.#sent = 0;
    this.#ready = owner === null;
    this.#publish();
    if (owner === null) return;
    await this.#read();
    for (const { id } of this.#stored) this.#delayed.add(id);
    await this.wake();
  }

  /** Shown at once. With the `id` of one that was given up before, the server does both once. The outcome is settled when the server has answered, or when it is sure that it has to wait. */
  add(operation: Operation, id = randomId()): { entry: Entry; outcome: Promise<Outcome> } {
    const entry = this.#entryOf(operation, id);
    this.#over.delete(id);
    this.#arriving = [...this.#arriving, entry];
    this.#publish();
    return { entry, outcome: this.#keep(entry) };
  }

  /** Takes it back: out of what waits, or by `inverse` where the server may have it already. */
  async undo(id: string, inverse: Operation): Promise<Outcome> {
    const entry = this.#entryOf(inverse, randomId());
    this.#over.add(id);
    this.#arriving = [...this.#arriving.filter((each) => each.id !== id), entry];
    this.#publish();
    await this.#keeping.get(id);
    const { after } = await this.#change(
      entry.owner,
      (entries) => withdraw(entries, id, slimmed(entry)),
      true,
    );
    const withdrawn = !after.some((each) => each.id === entry.id);
    // Else it goes first, as it was done first.
    if (withdrawn) this.#tell(id, NOTHING_LEFT);
    else this.#over.delete(id);
    return this.#arrived(entry, withdrawn);
  }

  /** Why it was refused, for people. */
  async problemOf(error: unknown, operation: Operation): Promise<Problem> {
    return problemOf(error, await this.#parts.failureText(operation));
  }

  /** Gives up what waits, or forgets what was refused. */
  async discard(id: string): Promise<void> {
    await this.#changeOwn((entries) => discard(entries, id));
    await this.wake();
  }

  /** Sends it although it is old. */
  async confirm(id: string): Promise<void> {
    await this.#changeOwn((entries) => confirm(entries, id, this.#parts.clock.now()), true);
    await this.wake();
  }

  /** Forgets everything of the owner, for good. */
  async forget(): Promise<void> {
    await this.#changeOwn(() => []);
  }

  /** Sends what can be sent. `anew`: what failed before says nothing about now. Resolves when there is nothing more to do at the moment. */
  wake(anew = false): Promise<void> {
    if (anew) this.#retry.sooner();
    this.#again = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** What another tab says. */
  async onMessage(message: OutboxMessage): Promise<void> {
    if (message.type === 'answered') {
      if (!this.#over.has(message.entry.id)) this.#answered(message.entry, message.tasks);
    } else if (message.owner === this.#owner) {
      await this.#read();
      await this.wake();
    }
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      if (this.#owner !== null) await this.#parts.withLock(() => this.#sendAll());
    }
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const owner = this.#owner;
      if (owner === null) return;
      await this.#read();
      const next = nextToSend(this.#current(), this.#parts.clock.now());
      if (next === undefined) return this.#caughtUp();
      if (!this.#parts.isReachable()) return this.#block({ reason: 'offline', message: '' });
      if (this.#retry.mustWait()) return this.#block(this.#blocked ?? { reason: 'busy', message: '' });
      const { after } = await this.#change(owner, (entries) => begin(entries, next.id));
      // Taken back in this very moment, or whoever it belongs to has gone.
      const entry = after.find(({ id }) => id === next.id);
      if (entry === undefined || owner !== this.#owner || this.#over.has(next.id)) continue;
      if (!(await this.#send(entry))) return;
    }
  }

  /** Whether to go on with the next one. */
  async #send(entry: Entry): Promise<boolean> {
    let tasks: readonly Task[];
    try {
      tasks = await this.#parts.perform(entry);
    } catch (error) {
      const verdict = classifyFailure(error, {
        fresh: this.#waiters.has(entry.id),
        attempts: entry.attempts,
      });
      if (verdict.kind === 'never') await this.#refused(entry, error);
      else this.#postpone(verdict);
      return verdict.kind === 'never';
    }
    this.#retry.reset();
    // Before it leaves the store, or another tab would show for a moment what was before.
    this.#parts.broadcast({ type: 'answered', entry, tasks });
    this.#answered(entry, tasks);
    const created = entry.operation.kind === 'create' ? tasks[0] : undefined;
    await this.#change(entry.owner, (entries) => complete(entries, entry.id, created));
    return true;
  }

  #answered(entry: Entry, tasks: readonly Task[]): void {
    this.#over.add(entry.id);
    if (entry.owner !== this.#owner) return;
    if (this.#delayed.delete(entry.id)) this.#sent += 1;
    for (const listener of [...this.#listeners]) listener.answered?.(entry, tasks);
    this.#tell(entry.id, { kind: 'answered', tasks });
    this.#publish();
  }

  // Whoever did it a moment ago is told and takes it from there; else it stays until it was seen.
  async #refused(entry: Entry, error: unknown): Promise<void> {
    if (this.#waiters.has(entry.id)) {
      this.#over.add(entry.id);
      await this.#change(entry.owner, (entries) => discard(entries, entry.id));
      this.#tell(entry.id, { kind: 'refused', error });
    } else {
      const problem = await this.problemOf(error, entry.operation);
      await this.#change(entry.owner, (entries) => refuse(entries, entry.id, problem));
    }
    this.#publish();
  }

  #postpone(verdict: Exclude<FailureKind, { kind: 'never' }>): void {
    // Who signs in next decides what becomes of it.
    if (verdict.kind === 'signed-out') return;
    this.#retry.later(verdict.retryAfterMs);
    const reason = this.#parts.hasNetwork() ? verdict.reason : 'offline';
    this.#block({ reason, message: verdict.message });
  }

  #block(blocked: Blocked): void {
    this.#blocked = blocked;
    for (const { id } of this.#current()) {
      this.#delayed.add(id);
      this.#tell(id, { kind: 'waits', kept: this.#store.isStored(id) });
    }
    this.#publish();
  }

  #caughtUp(): void {
    const sent = this.#sent;
    this.#sent = 0;
    this.#blocked = null;
    this.#publish();
    if (sent > 0) for (const listener of [...this.#listeners]) listener.caughtUp?.(sent);
  }

  async #keep(entry: Entry): Promise<Outcome> {
    const kept = this.#change(entry.owner, (entries) => [...entries, slimmed(entry)], true);
    this.#keeping.set(entry.id, kept);
    await kept;
    this.#keeping.delete(entry.id);
    return this.#arrived(entry, false);
  }

  // Nobody is told that it waits before it is kept.
  #arrived(entry: Entry, withdrawn: boolean): Promise<Outcome> {
    this.#arriving = this.#arriving.filter((each) => each !== entry);
    this.#publish();
    let outcome = Promise.resolve(NOTHING_LEFT);
    if (entry.owner !== this.#owner)
      outcome = Promise.resolve({ kind: 'waits', kept: this.#store.isStored(entry.id) });
    else if (!withdrawn) outcome = new Promise((resolve) => this.#waiters.set(entry.id, resolve));
    void this.wake();
    return outcome;
  }

  #tell(id: string, outcome: Outcome): void {
    this.#waiters.get(id)?.(outcome);
    this.#waiters.delete(id);
  }

  async #changeOwn(rule: Rule, firm = false): Promise<void> {
    if (this.#owner === null) return;
    await this.#change(this.#owner, rule, firm);
    this.#publish();
  }

  async #change(owner: string, rule: Rule, firm = false): Promise<Changed> {
    const result = await this.#store.change(owner, rule, firm);
    if (owner === this.#owner) {
      this.#reads += 1;
      this.#stored = result.after;
    }
    if (result.changed) this.#parts.broadcast({ type: 'changed', owner });
    return result;
  }

  async #read(): Promise<void> {
    const owner = this.#owner;
    if (owner === null) return;
    this.#reads += 1;
    const read = this.#reads;
    const entries = await this.#store.read(owner);
    if (owner !== this.#owner) return;
    // Unless something newer is known meanwhile.
    if (read === this.#reads) this.#stored = entries;
    this.#ready = true;
    this.#hearOfOthers();
    this.#publish();
  }

  // What another tab has settled or given up while this one did not listen.
  #hearOfOthers(): void {
    for (const id of this.#waiters.keys()) {
      const entry = this.#stored.find((each) => each.id === id);
      if (entry === undefined) this.#tell(id, NOTHING_LEFT);
      else if (entry.refusal !== null) this.#tell(id, { kind: 'waits', kept: true });
    }
  }

  #current(): readonly Entry[] {
    return this.#stored.filter(({ id }) => !this.#over.has(id));
  }

  #entryOf(operation: Operation, id: string): Entry {
    if (this.#owner === null) throw new Error('Nobody is signed in');
    return {
      id,
      owner: this.#owner,
      at: this.#parts.clock.now(),
      operation,
      attempts: 0,
      confirmedAt: null,
      refusal: null,
    };
  }

  #publish(): void {
    const stored = this.#current();
    const ids = new Set(stored.map(({ id }) => id));
    const arriving = this.#arriving.filter(({ id }) => !ids.has(id));
    this.#snapshot = {
      ready: this.#ready,
      durable: this.#store.durable(),
      entries: [...stored, ...arriving],
      unsaved: arriving.length,
      blocked: this.#blocked,
    };
    for (const subscriber of [...this.#subscribers]) subscriber();
  }
}

function slimmed(entry: Entry): Entry {
  return { ...entry, operation: trimmed(entry.operation) };
}
