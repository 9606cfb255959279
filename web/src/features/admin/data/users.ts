// The users of this server, for administrators: fetched when the section opens, updated by the answers to
// changes.
import type { SignInLink, User } from '#core/contract/index.ts';
import { queries, useQuery } from '../../../lib/queries.ts';
import { api } from '../../../lib/services.ts';
import { isLocalAddress } from '../../../lib/local-address.ts';

const KEY = ['admin', 'users'];

/** A link for a user, to be handed on. */
export interface Invitation {
  user: User;
  url: string;
  expiresAt: string;
}

/** Oldest first. */
export function useUsers() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await api('GET /admin/users', { signal })).users,
  });
}

export function useUserCalls() {
  function show(user: User): void {
    queries.setQueryData(KEY, (users: readonly User[] | undefined) => {
      if (users === undefined) return undefined;
      const isKnown = users.some(({ id }) => id === user.id);
      return isKnown ? users.map((each) => (each.id === user.id ? user : each)) : [...users, user];
    });
  }
  function invitation({ user, link }: { user: User; link: SignInLink }): Invitation {
    show(user);
    return { user, url: reachable(link.url), expiresAt: link.expiresAt };
  }

  return {
    invite: async (email: string): Promise<Invitation> =>
      invitation(await api('POST /admin/users', { body: { email } })),
    link: async ({ id }: User): Promise<Invitation> =>
      invitation(await api('POST /admin/users/:id/link', { params: { id } })),
    edit: async ({ id }: User, changes: { is_active?: boolean; is_admin?: boolean }): Promise<void> => {
      show((await api('PATCH /admin/users/:id', { params: { id }, body: changes })).user);
    },
  };
}

// A server that was not told its address names localhost; the one of this page is known to reach it.
function reachable(url: string): string {
  return isLocalAddress(url) ? url.replace(new URL(url).origin, location.origin) : url;
}
