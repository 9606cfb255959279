// Saved views as a user has them, and what makes two of them contradict each other.
import type { SaveView, View } from '../contract/index.ts';

/** A filter of the inbox with a name. `key` opens it, and is of no other view of the user. */
export type SavedView = Readonly<View>;

/** The view with what was sent, its name trimmed. */
export function toView(id: string, { name, key, query }: SaveView): SavedView {
  return { id, name: name.trim(), key, query };
}

/** The other view that has its name, ignoring case, or its key; null when there is none. */
export function conflictingView(
  views: readonly SavedView[],
  { id, name, key }: SavedView,
): { field: 'name' | 'key'; view: SavedView } | null {
  const others = views.filter((view) => view.id !== id);
  const named = others.find((view) => folded(view.name) === folded(name));
  if (named !== undefined) return { field: 'name', view: named };
  const keyed = key === null ? undefined : others.find((view) => view.key === key);
  return keyed === undefined ? null : { field: 'key', view: keyed };
}

/** By name, ignoring case. */
export function viewsByName(views: readonly SavedView[]): SavedView[] {
  return views.toSorted((a, b) => compare(folded(a.name), folded(b.name)));
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
