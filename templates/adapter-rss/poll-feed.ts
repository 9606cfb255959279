// One round for one feed: ask for what is new, make tasks of it, and only then note what has been seen.
import { createHash } from 'node:crypto';
import type { AdapterContext } from 'qinbox/adapter';
import { download, type Validators } from './download.ts';
import { readFeed, type Entry } from './read-feed.ts';

type Context = Pick<AdapterContext, 'clock' | 'findOwner' | 'store' | 'submit'>;

/** What is stored of a feed. */
interface FeedState extends Validators {
  /** Fingerprints of entries, the latest first. */
  seen: string[];
}

/** A record of the store takes 64 KiB. */
const MAX_SEEN = 2000;

/** Returns a phrase for `/ready`. Throws when the feed cannot be had or tasks cannot be stored. */
export async function pollFeed(
  address: string,
  owner: string,
  { clock, findOwner, store, submit }: Context,
  signal: AbortSignal,
): Promise<string> {
  const { host } = new URL(address);
  const ownerId = await findOwner(owner);
  if (ownerId === null) throw new Error('RSS_OWNER is the address of nobody here');
  const key = { adapter: 'rss', kind: 'feed', key: fingerprint(address) };
  const record = await store.get(key, clock.now());
  const before = record === null ? null : (JSON.parse(record.value) as FeedState);

  const answer = await download(address, before ?? {}, signal);
  if (answer === null) return `${host}: nothing new`;
  const { title, entries } = readFeed(answer.text, address);
  const seen = new Set(before?.seen);
  // Of a feed that is new here only the latest entry, so that its past does not fill the inbox.
  const unseen = entries.filter(({ id }) => !seen.has(fingerprint(id)));
  const fresh = before === null ? unseen.slice(0, 1) : unseen;
  for (const entry of fresh.toReversed())
    await submit({
      ownerId,
      tasks: [taskOf(entry, title)],
      // Another process that has read the same feed makes no second task.
      replayKey: `${key.key}:${fingerprint(entry.id)}`,
      requestId: 'rss',
    });

  const all = new Set([...entries.map(({ id }) => fingerprint(id)), ...seen]);
  const after: FeedState = { ...answer.validators, seen: [...all].slice(0, MAX_SEEN) };
  await store.put({ ...key, ownerId: null, value: JSON.stringify(after), expiresAt: null });
  return `${host}: ${entries.length} entries, ${fresh.length} new`;
}

function taskOf({ title, link, text }: Entry, feed: string) {
  return {
    content: title,
    tags: ['rss'],
    ...(link === null ? {} : { url: link }),
    metadata: { feed, ...(text === '' ? {} : { body: text }) },
  };
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
