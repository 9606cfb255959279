// Small things that an ingestion adapter must remember: installations, linked accounts, one-time codes. Secret values arrive
// sealed. Every method throws SERVICE_UNAVAILABLE when storage does not answer; writes are durable when they resolve.

/** One remembered thing. `adapter`, `kind` and `key` name it together. */
export interface AdapterRecord {
  adapter: string;
  kind: string;
  /** 1..255 characters. */
  key: string;
  /** Whose it is, or null. */
  ownerId: string | null;
  /** A text of the adapter's own, at most 64 KiB. */
  value: string;
  /** From this moment it is as if it were not there, in milliseconds; null for never. */
  expiresAt: number | null;
}

/** Names one or, without `key`, many. */
export interface AdapterKey {
  adapter: string;
  kind: string;
  key: string;
}

export interface AdapterStore {
  /** Adds or replaces. */
  put(record: AdapterRecord): Promise<void>;
  get(key: AdapterKey, now: number): Promise<AdapterRecord | null>;
  /** Removes it and answers what it was; null when it is not there. Atomic: of many who take one, one gets it. */
  take(key: AdapterKey, now: number): Promise<AdapterRecord | null>;
  /** Those of one kind, in the order of their keys; of one owner when `ownerId` is given. */
  list(adapter: string, kind: string, now: number, ownerId?: string): Promise<AdapterRecord[]>;
  /** Whether it was there, and this owner's when `ownerId` is given. */
  remove(key: AdapterKey, ownerId?: string): Promise<boolean>;
  /** Removes what has expired at `now`. */
  purge(now: number): Promise<void>;
}
