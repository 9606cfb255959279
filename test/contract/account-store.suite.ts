// The promises of the port AccountStore, for every driver.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  rotateSession,
  type ApiKeyRecord,
  type SessionRecord,
  type UserRecord,
} from '#core/domain/account.ts';
import { MAX_SESSIONS, STORED_REVOKED_KEYS, type AccountStore } from '#core/ports/account-store.ts';
import { createFakeClock, type FakeClock } from '#test/helpers/clock.ts';
import { keyOf, sessionOf, userOf } from '#test/helpers/records.ts';
import type { StorageHarness, StorageUnderTest } from './harness.ts';

/** Runs the suite on a driver. */
export function describeAccountStore(name: string, harness: StorageHarness): void {
  describe(`account store: ${name}`, () => {
    let clock: FakeClock;
    let under: StorageUnderTest;
    let store: AccountStore;
    let second: AccountStore;

    beforeEach(async () => {
      clock = createFakeClock();
      under = await harness.create(clock);
      store = under.storage.accounts;
      second = (await under.another()).accounts;
    });
    afterEach(() => under.dispose());

    async function addUser(fields: Partial<UserRecord> = {}): Promise<UserRecord> {
      return (await store.ensureUser(userOf(fields))).user;
    }
    const alternate = (index: number): AccountStore => (index % 2 === 0 ? store : second);

    describe('users', () => {
      it('keeps every field and finds the user by id and by e-mail, in every process', async () => {
        const user = userOf({
          name: `O'Brien "🛟"`,
          avatarUrl: 'https://example.com/a.png',
          authProvider: 'google',
          emailVerified: false,
          isActive: false,
          isAdmin: true,
          lastLoginAt: clock.now(),
          passwordHash: 'scrypt$16384$salt$hash',
          views: [
            { id: 'view_2', name: `Ops "🛟"`, key: '4', query: 'q=%23ops&order=priority' },
            { id: 'view_1', name: 'all', key: null, query: '' },
          ],
        });
        expect(await store.ensureUser(user)).toEqual({ user, created: true });
        expect(await second.getUser(user.id)).toEqual(user);
        expect(await second.findUserByEmail(user.email)).toEqual(user);
        expect(await store.getUser('user_none')).toBeNull();
        expect(await store.findUserByEmail('none@example.com')).toBeNull();
      });

      it('answers the user that has the e-mail already and leaves it as it is', async () => {
        const first = await addUser({ email: 'ada@example.com', name: 'Ada' });
        const again = await store.ensureUser(
          userOf({ email: 'ada@example.com', name: 'Eve', isAdmin: true }),
        );
        expect(again).toEqual({ user: first, created: false });
      });

      it('makes one user when the same e-mail comes at once', async () => {
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            alternate(index).ensureUser(userOf({ email: 'ada@example.com' })),
          ),
        );
        expect(answers.filter(({ created }) => created)).toHaveLength(1);
        expect(new Set(answers.map(({ user }) => user.id)).size).toBe(1);
        expect(await store.listUsers()).toHaveLength(1);
      });

      it('lists the oldest first', async () => {
        const [b, a] = [await addUser({ createdAt: clock.now() }), await addUser({ createdAt: 5 })];
        expect(await store.listUsers()).toEqual([a, b]);
      });

      it('applies a rule and loses no change when many come at once', async () => {
        const { id } = await addUser({ name: '' });
        await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            alternate(index).changeUser(id, (user) => ({ ...user, name: `${user.name}x` })),
          ),
        );
        expect((await store.getUser(id))?.name).toBe('x'.repeat(20));
        expect(await store.changeUser('user_none', (user) => user)).toBeNull();
      });

      it('changes and removes saved views with the user', async () => {
        const user = await addUser();
        const views = [{ id: 'view_1', name: 'x', key: null, query: 'q=x' }];
        expect(await store.changeUser(user.id, (before) => ({ ...before, views }))).toEqual({
          ...user,
          views,
        });
        expect((await second.getUser(user.id))?.views).toEqual(views);
        await second.changeUser(user.id, (before) => ({ ...before, views: [] }));
        expect(await store.getUser(user.id)).toEqual(user);
      });

      it('refuses to give two users one e-mail', async () => {
        const [a, b] = [await addUser(), await addUser()];
        await expect(store.changeUser(b.id, (user) => ({ ...user, email: a.email }))).rejects.toMatchObject({
          code: 'CONFLICT',
        });
        expect(await store.getUser(b.id)).toEqual(b);
      });
    });

    describe('keys', () => {
      it('keeps every field and finds the key with its user by hash', async () => {
        const user = await addUser();
        const key = keyOf(user.id, {
          description: 'nightly',
          scopes: ['ingest'],
          expiresAt: 9,
          lastUsedAt: 7,
        });
        expect(await store.createKey(key, 25)).toBe(true);
        expect(await second.findKeyByHash(key.hash)).toEqual({ key, user });
        expect(await store.findKeyByHash('none')).toBeNull();
        const bare = keyOf(user.id, { scopes: [] });
        await store.createKey(bare, 25);
        expect((await store.findKeyByHash(bare.hash))?.key).toEqual(bare);
      });

      it('lists the active keys of one user, newest first', async () => {
        const [user, other] = [await addUser(), await addUser()];
        const keys = [1, 3, 2].map((createdAt) => keyOf(user.id, { createdAt }));
        for (const key of [...keys, keyOf(other.id)]) await store.createKey(key, 25);
        expect((await store.listKeys(user.id)).map(({ createdAt }) => createdAt)).toEqual([3, 2, 1]);
        expect(await store.listKeys('user_none')).toEqual([]);
      });

      it('never exceeds the limit of active keys, however many come at once', async () => {
        const user = await addUser();
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) => alternate(index).createKey(keyOf(user.id), 5)),
        );
        expect(answers.filter(Boolean)).toHaveLength(5);
        const [one] = await store.listKeys(user.id);
        expect(await store.revokeKey(user.id, one?.id ?? '', clock.now())).toBe(true);
        expect(await store.createKey(keyOf(user.id), 5)).toBe(true);
        expect(await store.createKey(keyOf(user.id), 5)).toBe(false);
      });

      it('revokes a key of its owner once, and still finds it by hash', async () => {
        const [user, other] = [await addUser(), await addUser()];
        const key = keyOf(user.id);
        await store.createKey(key, 25);
        expect(await store.revokeKey(other.id, key.id, clock.now())).toBe(false);
        expect(await store.revokeKey(user.id, 'key_none', clock.now())).toBe(false);
        const answers = await Promise.all(
          Array.from({ length: 6 }, (_, index) => alternate(index).revokeKey(user.id, key.id, clock.now())),
        );
        expect(answers.filter(Boolean)).toHaveLength(1);
        expect(await store.listKeys(user.id)).toEqual([]);
        expect((await second.findKeyByHash(key.hash))?.key.revokedAt).toBe(clock.now());
      });

      it('stores the latest revoked keys of each user, and all active ones, however many were made', async () => {
        const [user, other] = [await addUser(), await addUser()];
        const make = async (userId: string, revokedAt: number | null = null) => {
          const key = keyOf(userId);
          expect(await store.createKey(key, 25)).toBe(true);
          if (revokedAt !== null) expect(await store.revokeKey(userId, key.id, revokedAt)).toBe(true);
          return key;
        };
        const [active, others] = [await make(user.id), await make(other.id, 1)];
        const revoked: ApiKeyRecord[] = [];
        for (let n = 0; n < STORED_REVOKED_KEYS + 5; n++) revoked.push(await make(user.id, clock.now() + n));
        const latest = await make(user.id);
        const found = await Promise.all(
          [active, others, latest, ...revoked].map(({ hash }) => second.findKeyByHash(hash)),
        );
        expect(found.map((one) => one !== null)).toEqual([
          ...[true, true, true],
          ...revoked.map((_, index) => index >= 5),
        ]);
        expect((await under.dump()).filter((line) => line.startsWith('api_keys '))).toHaveLength(
          STORED_REVOKED_KEYS + 3,
        );
      });

      it('notes the last use before long, and never an earlier one', async () => {
        const user = await addUser();
        const key = keyOf(user.id);
        await store.createKey(key, 25);
        await store.touchKey(key.id, clock.now() - 5);
        await store.touchKey(key.id, clock.now());
        await store.touchKey(key.id, clock.now() - 4);
        await store.touchKey('key_none', clock.now());
        const lastUsedAt = async () => (await second.findKeyByHash(key.hash))?.key.lastUsedAt;
        await vi.waitFor(async () => expect(await lastUsedAt()).toBe(clock.now()), { timeout: 60_000 });
      });
    });

    describe('sessions', () => {
      it('keeps every field and answers the session with its user', async () => {
        const user = await addUser();
        const session = sessionOf(user.id, { previousHash: 'p', previousUntil: 9, revokedAt: 3 });
        await store.createSession(session);
        expect(await second.getSession(session.id)).toEqual({ session, user });
        expect(await store.getSession('session_none')).toBeNull();
      });

      it('rotates once when two refresh at once', async () => {
        const user = await addUser();
        const session = sessionOf(user.id);
        await store.createSession(session);
        await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            alternate(index).changeSession(session.id, (current) =>
              current.generation === 1 ? rotateSession(current, `hash ${index}`, clock.now()) : current,
            ),
          ),
        );
        const after = (await store.getSession(session.id))?.session;
        expect(after).toMatchObject({ generation: 2, previousHash: 'hash 1' });
        expect(await store.changeSession('session_none', (current) => current)).toBeNull();
      });

      it('answers what the rule made, and the same when it changed nothing', async () => {
        const session = sessionOf((await addUser()).id);
        await store.createSession(session);
        expect(await store.changeSession(session.id, (current) => current)).toEqual(session);
        const revoked = await store.changeSession(session.id, (current) => ({ ...current, revokedAt: 4 }));
        expect(revoked).toEqual({ ...session, revokedAt: 4 });
      });
    });

    describe('sessions of one user', () => {
      it('stay so many, those that were used last, however often somebody signs in', async () => {
        const [user, other] = [await addUser(), await addUser()];
        const begin = async (userId: string) => {
          clock.advance(1);
          const session = sessionOf(userId, { createdAt: clock.now() });
          return { session, hasEndedOthers: await store.createSession(session) };
        };
        const end = ({ session }: { session: SessionRecord }) =>
          store.changeSession(session.id, (current) => ({ ...current, revokedAt: clock.now() }));
        const others = await begin(other.id);
        const inUse = await begin(user.id);
        const begun = [await begin(user.id)];
        // Those that were ended meanwhile take the place of none that was not.
        for (let n = 0; n < 5; n++) await end(await begin(user.id));
        await store.changeSession(inUse.session.id, (session) => rotateSession(session, 'next', clock.now()));
        for (let n = 1; n < MAX_SESSIONS + 4; n++) begun.push(await begin(user.id));
        expect(begun.map(({ hasEndedOthers }) => hasEndedOthers)).toEqual(
          begun.map((_, index) => index >= MAX_SESSIONS - 1),
        );
        const found = await Promise.all(
          [others, inUse, ...begun].map(({ session }) => second.getSession(session.id)),
        );
        expect(found.map((one) => one !== null)).toEqual([
          true,
          true,
          ...begun.map((_, index) => index >= 5),
        ]);
        const lines = (await under.dump()).filter((line) => line.startsWith('sessions '));
        expect(lines).toHaveLength(MAX_SESSIONS + 1);
      });
    });

    describe('sign-in links', () => {
      it('are good once over all processes', async () => {
        const { id } = await addUser();
        await store.createLink('link hash', id, clock.now() + 1000);
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, index) => alternate(index).consumeLink('link hash', clock.now())),
        );
        expect(answers.filter((answer) => answer !== null)).toEqual([id]);
        expect(await store.consumeLink('link hash', clock.now())).toBeNull();
        expect(await store.consumeLink('none', clock.now())).toBeNull();
      });

      it('end exactly at their time', async () => {
        const { id } = await addUser();
        await store.createLink('a', id, clock.now() + 1000);
        await store.createLink('b', id, clock.now() + 1000);
        expect(await store.consumeLink('a', clock.now() + 999)).toBe(id);
        expect(await store.consumeLink('b', clock.now() + 1000)).toBeNull();
      });
    });

    it('removes links and sessions that ended, and nothing else', async () => {
      const user = await addUser();
      const key = keyOf(user.id);
      await store.createKey(key, 25);
      const [ended, live] = [sessionOf(user.id, { expiresAt: clock.now() - 1 }), sessionOf(user.id)];
      await store.createSession(ended);
      await store.createSession(live);
      await store.createLink('old', user.id, clock.now() - 1);
      await store.createLink('new', user.id, clock.now() + 1);
      await store.purge(clock.now());
      expect(await store.getSession(ended.id)).toBeNull();
      expect(await store.getSession(live.id)).toEqual({ session: live, user });
      expect(await store.consumeLink('old', 0)).toBeNull();
      expect(await store.consumeLink('new', clock.now())).toBe(user.id);
      expect(await store.findKeyByHash(key.hash)).toEqual({ key, user });
    });
  });
}
