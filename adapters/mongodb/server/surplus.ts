// Of a list that is bounded in number, removes what is beyond.
import type { ListOptions, Query, Versioned, VersionedCollection } from './collection.ts';

/** Removes what `find` finds with these options, which skip what stays; answers what was removed. */
export async function removeSurplus<T extends Versioned>(
  collection: VersionedCollection<T>,
  query: Query,
  options: ListOptions<T>,
): Promise<T[]> {
  const surplus = await collection.find(query, options);
  if (surplus.length > 0) await collection.removeMany({ _id: { $in: surplus.map(({ _id }) => _id) } });
  return surplus;
}
