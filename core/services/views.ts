// Saved views of a user: listed, saved, deleted. They are stored with the user, so that each change of them
// is one atomic change of the user.
import { MAX_VIEWS, type SaveView } from '../contract/index.ts';
import type { IdSource } from '../domain/ids.ts';
import { conflictingView, toView, viewsByName, type SavedView } from '../domain/view.ts';
import { invalid, QinboxError } from '../errors.ts';
import type { AccountStore } from '../ports/account-store.ts';
import type { Clock } from '../ports/clock.ts';
import { mayRead, type SignedIn } from './principal.ts';

interface Parts {
  accounts: AccountStore;
  clock: Clock;
  nextId: IdSource;
}

type SavedViews = readonly SavedView[];

export type Views = ReturnType<typeof createViews>;

export function createViews({ accounts, clock, nextId }: Parts) {
  /** Stores what `rule` makes of the user's views; a fault that it answers is thrown, and nothing changes. */
  async function change(
    userId: string,
    rule: (views: SavedViews) => SavedViews | QinboxError,
  ): Promise<void> {
    let fault: QinboxError | null = null;
    const user = await accounts.changeUser(userId, (before) => {
      const views = rule(before.views);
      fault = views instanceof QinboxError ? views : null;
      return views instanceof QinboxError || views === before.views ? before : { ...before, views };
    });
    if (fault !== null) throw fault as QinboxError;
    if (user === null) throw viewNotFound();
  }

  const viewsOf = async ({ ownerId }: SignedIn): Promise<SavedViews> =>
    (await accounts.getUser(ownerId))?.views ?? [];

  return {
    /** By name. */
    list: async (caller: SignedIn): Promise<SavedView[]> => viewsByName(await viewsOf(caller)),

    /** Whether there can be such a view beside `coming` new ones. As {@link create}. */
    async check(caller: SignedIn, wanted: SaveView, coming: number): Promise<void> {
      const fault = newViewFault(caller, await viewsOf(caller), checkedView('', wanted), coming);
      if (fault !== null) throw fault;
    },

    /** CONFLICT when another view has its name or its key, or there are 50. */
    async create(caller: SignedIn, wanted: SaveView): Promise<SavedView> {
      const view = checkedView(nextId('view_', clock.now()), wanted);
      await change(caller.ownerId, (views) => newViewFault(caller, views, view) ?? [...views, view]);
      return view;
    },

    /** Replaces a view; a second time changes nothing. NOT_FOUND; CONFLICT as for a new one. */
    async save(caller: SignedIn, id: string, wanted: SaveView): Promise<SavedView> {
      const view = checkedView(id, wanted);
      await change(caller.ownerId, (views) => {
        const before = views.find((other) => other.id === id);
        if (before === undefined) return viewNotFound();
        if (isSame(before, view)) return views;
        return conflictFor(caller, views, view) ?? views.map((other) => (other === before ? view : other));
      });
      return view;
    },

    /** NOT_FOUND when the user has no such view. */
    remove: ({ ownerId }: SignedIn, id: string): Promise<void> =>
      change(ownerId, (views) => {
        const left = views.filter((view) => view.id !== id);
        return left.length === views.length ? viewNotFound() : left;
      }),
  };
}

function checkedView(id: string, wanted: SaveView): SavedView {
  for (const field of ['name', 'query'] as const)
    if (!wanted[field].isWellFormed()) throw invalid([{ field, message: 'must be well-formed Unicode' }]);
  return toView(id, wanted);
}

function isSame(a: SavedView, b: SavedView): boolean {
  return a.name === b.name && a.key === b.key && a.query === b.query;
}

/** Why the view cannot be added to those that are there and to `coming` more. */
function newViewFault(caller: SignedIn, views: SavedViews, view: SavedView, coming = 0): QinboxError | null {
  if (views.length + coming < MAX_VIEWS) return conflictFor(caller, views, view);
  return new QinboxError(
    'CONFLICT',
    `There are ${MAX_VIEWS} saved views already. Delete one that is no longer used first.`,
  );
}

/** Why the view cannot be saved beside the others. A caller who may not read is not told their names. */
function conflictFor(caller: SignedIn, views: SavedViews, view: SavedView): QinboxError | null {
  const conflict = conflictingView(views, view);
  if (conflict === null) return null;
  const name = mayRead(caller) ? `The view “${conflict.view.name}”` : 'Another view';
  const what = conflict.field === 'name' ? 'this name' : `the key ${view.key}`;
  const message = `${name} has ${what} already. Choose another ${conflict.field}.`;
  return new QinboxError('CONFLICT', message, { details: [{ field: conflict.field, message }] });
}

function viewNotFound(): QinboxError {
  return new QinboxError('NOT_FOUND', 'There is no such view. It may have been deleted.');
}
