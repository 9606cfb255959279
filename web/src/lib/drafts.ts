// Unsaved text of Add and Edit, stored in this browser for a day, for the person who typed it.
import type { Priority } from '#core/contract/index.ts';
import type { LocalStore } from './local-store.ts';
import type { ServerClock } from './server-clock.ts';

/** The fields of the form, as they are typed. */
export interface DraftFields {
  content: string;
  priority: Priority;
  tags: string;
  /** Lifetime, of a new item only. */
  expiryMinutes?: number;
  /** Of a new item only. */
  pinned?: boolean;
  /** Marks of the message that are to stay text, as they are typed, separated by spaces. */
  plain?: string;
}

export interface Draft {
  fields: DraftFields;
  /** The fields before the first change. */
  base: DraftFields;
  savedAt: number;
}

interface StoredDrafts {
  owner: string;
  /** By the id of the task; {@link NEW_ITEM} for one that is not made yet. The latest last. */
  drafts: Record<string, Draft & { until: number }>;
}

export const NEW_ITEM = 'new';

const ENTRY = 'qinbox.drafts';
const DAY_MS = 24 * 3_600_000;
const MOST_DRAFTS = 20;

export class Drafts {
  readonly #store: LocalStore;
  readonly #owner: () => string | null;
  readonly #clock: Pick<ServerClock, 'now' | 'isKnown'>;
  /** A guest's are gone with the page. */
  #ofGuest: StoredDrafts['drafts'] = {};

  /** `owner` returns the signed-in person; null for a guest. `clock` is that of the tasks. */
  constructor(store: LocalStore, owner: () => string | null, clock: Pick<ServerClock, 'now' | 'isKnown'>) {
    this.#store = store;
    this.#owner = owner;
    this.#clock = clock;
  }

  get(item: string): Draft | null {
    return this.#read()[item] ?? null;
  }

  /** Keeps it for a day, or until `end` where that comes before. */
  save(item: string, fields: DraftFields, base: DraftFields, end = Infinity): void {
    const { [item]: _before, ...others } = this.#read();
    const savedAt = this.#clock.now();
    const draft = { fields, base, savedAt, until: Math.min(savedAt + DAY_MS, end) };
    this.#write(Object.fromEntries(Object.entries({ ...others, [item]: draft }).slice(-MOST_DRAFTS)));
  }

  discard(item: string): void {
    const { [item]: before, ...others } = this.#read();
    if (before !== undefined) this.#write(others);
  }

  /** Someone else may sit here next. */
  clear(): void {
    this.#ofGuest = {};
    this.#store.set(ENTRY, null);
  }

  #read(): StoredDrafts['drafts'] {
    const owner = this.#owner();
    const drafts = owner === null ? this.#ofGuest : this.#readOf(owner);
    // By a clock that may be wrong nothing is lost.
    if (!this.#clock.isKnown()) return drafts;
    const now = this.#clock.now();
    return Object.fromEntries(Object.entries(drafts).filter(([, { until }]) => until > now));
  }

  // The drafts of another person are removed at the first read by someone else.
  #readOf(owner: string): StoredDrafts['drafts'] {
    const json = this.#store.get(ENTRY);
    const stored = json === null ? null : parse(json);
    if (stored?.owner === owner) return stored.drafts;
    if (json !== null) this.clear();
    return {};
  }

  #write(drafts: StoredDrafts['drafts']): void {
    const owner = this.#owner();
    if (owner === null) {
      this.#ofGuest = drafts;
      return;
    }
    const stored: StoredDrafts = { owner, drafts };
    this.#store.set(ENTRY, Object.keys(drafts).length === 0 ? null : JSON.stringify(stored));
  }
}

function parse(json: string): StoredDrafts | null {
  try {
    const value: unknown = JSON.parse(json);
    const stored = value as StoredDrafts;
    const whole = Object.values(stored.drafts).every(({ fields, base }) =>
      [fields, base].every(({ content, tags }) => typeof content === 'string' && typeof tags === 'string'),
    );
    return whole ? stored : null;
  } catch {
    return null;
  }
}
