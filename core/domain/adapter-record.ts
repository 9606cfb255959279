/** Largest `value` of a record, in UTF-8: 64 KiB. */
export const MAX_RECORD_BYTES = 64 * 1024;

/** A record of an ingestion adapter (installation, linked account, one-time code), by adapter, kind, key. */
export interface AdapterRecord {
  adapter: string;
  kind: string;
  /** 1..255 characters. */
  key: string;
  /** The owner's id, or null. */
  ownerId: string | null;
  /** A text in the adapter's own format, at most {@link MAX_RECORD_BYTES}. */
  value: string;
  /** In milliseconds: from then on it counts as absent; null for never. */
  expiresAt: number | null;
}

export type AdapterKey = Pick<AdapterRecord, 'adapter' | 'kind' | 'key'>;
