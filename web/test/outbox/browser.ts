// A browser of several tabs that share a database (a real one in memory), a lock and a channel, and can be
// killed.
import { IDBFactory } from 'fake-indexeddb';
import { createDatabase } from '../../src/lib/outbox/database.ts';
import { Outbox } from '../../src/lib/outbox/outbox.ts';
import type { OutboxMessage } from '../../src/lib/outbox/types.ts';
import { createPerform } from '../../src/lib/outbox/perform.ts';
import type { EntryStore } from '../../src/lib/outbox/store.ts';
import type { ModelServer } from './model-server.ts';

const NEVER = new Promise<never>(() => undefined);

interface Timer {
  tab: Tab;
  at: number;
  work: () => void;
}

export interface Tab {
  outbox: Outbox;
  dead: boolean;
  /** Reads and writes under way. */
  busy: number;
}

export interface TestBrowserOptions {
  /** Whether the credentials are still this account's. */
  isSignedIn?: (owner: string) => boolean;
  isOnline?: () => boolean;
  /** Writing fails, as on a full disk. */
  isFull?: () => boolean;
}

export class TestBrowser {
  readonly tabs: Tab[] = [];
  readonly #server: ModelServer;
  readonly #options: TestBrowserOptions;
  #now = Date.now();
  #timers: Timer[] = [];
  #locked: { tab: Tab; release: () => void } | null = null;
  #queue: (() => void)[] = [];

  constructor(server: ModelServer, options: TestBrowserOptions = {}) {
    this.#server = server;
    this.#options = options;
    // Each browser has a disk of its own.
    globalThis.indexedDB = new IDBFactory();
  }

  now = (): number => this.#now;

  /** Opens a tab in which `owner` is signed in. */
  async open(owner: string | null = 'user:1'): Promise<Tab> {
    const tab: Tab = { outbox: undefined as unknown as Outbox, dead: false, busy: 0 };
    tab.outbox = new Outbox({
      disk: this.#diskOf(tab),
      perform: createPerform(
        this.#server.apiFor(() => tab.dead),
        this.#options.isSignedIn ?? (() => true),
        this.now,
      ),
      failureText: () => Promise.resolve('It failed'),
      isReachable: this.#options.isOnline ?? (() => true),
      hasNetwork: this.#options.isOnline ?? (() => true),
      withLock: (work) => this.#exclusively(tab, work),
      broadcast: (message) => this.#tellOthers(tab, message),
      clock: {
        now: this.now,
        setTimeout: (work, ms) => {
          const timer = { tab, work, at: this.#now + ms };
          this.#timers.push(timer);
          return timer;
        },
        clearTimeout: (timer) => {
          this.#timers = this.#timers.filter((each) => each !== timer);
        },
      },
      random: () => 0.5,
    });
    this.tabs.push(tab);
    void tab.outbox.setOwner(owner);
    await this.quiet();
    return tab;
  }

  /** The tab is gone in the middle of whatever it does. */
  kill(tab: Tab): void {
    tab.dead = true;
    this.tabs.splice(this.tabs.indexOf(tab), 1);
    this.#timers = this.#timers.filter((timer) => timer.tab !== tab);
    if (this.#locked?.tab === tab) this.#locked.release();
  }

  async reload(tab: Tab, owner?: string): Promise<Tab> {
    this.kill(tab);
    return this.open(owner);
  }

  async advance(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#timers.filter((timer) => timer.at <= this.#now);
    this.#timers = this.#timers.filter((timer) => timer.at > this.#now);
    for (const { work } of due) work();
    await this.quiet();
  }

  /** Resolves when everything waits for an answer or a timer. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < 4;) {
      await new Promise((resolve) => setImmediate(resolve));
      turns = this.tabs.some(({ busy }) => busy > 0) ? 0 : turns + 1;
    }
  }

  #diskOf(tab: Tab): EntryStore {
    const { entries } = createDatabase();
    const whileAlive = async <T>(work: () => Promise<T>): Promise<T> => {
      if (tab.dead) return NEVER;
      tab.busy += 1;
      try {
        const result = await work();
        return tab.dead ? await NEVER : result;
      } finally {
        tab.busy -= 1;
      }
    };
    return {
      read: (owner) => whileAlive(() => entries.read(owner)),
      change: (owner, rule, firm) =>
        whileAlive(() =>
          this.#options.isFull?.() === true
            ? Promise.reject(new DOMException('No room', 'QuotaExceededError'))
            : entries.change(owner, rule, firm),
        ),
    };
  }

  async #exclusively(tab: Tab, work: () => Promise<void>): Promise<void> {
    while (this.#locked !== null) await new Promise<void>((resolve) => this.#queue.push(resolve));
    if (tab.dead) return;
    const lock = {
      tab,
      release: () => {
        if (this.#locked === lock) this.#locked = null;
        for (const next of this.#queue.splice(0)) next();
      },
    };
    this.#locked = lock;
    try {
      await work();
    } finally {
      lock.release();
    }
  }

  #tellOthers(from: Tab, message: OutboxMessage): void {
    if (from.dead) return;
    for (const tab of this.tabs)
      if (tab !== from) queueMicrotask(() => void tab.outbox.onMessage(structuredClone(message)));
  }
}
