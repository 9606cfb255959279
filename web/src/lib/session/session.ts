// The session: its user and its credentials, stored in four entries of local storage (accessToken,
// refreshToken, user, apiKey). Tokens and a key exclude each other.
import type { IntegrationUser, Tokens, User } from '#core/contract/index.ts';
import { createEmitter } from '../emitter.ts';
import { asRecord, parseJson } from '../json.ts';
import type { LocalStore } from '../local-store.ts';

export type AuthMethod = 'none' | 'jwt' | 'api_key';
export type SessionUser = User | IntegrationUser;

/** Raised on the window when a session could not be renewed. */
export const AUTH_EXPIRED = 'auth:expired';
/** Raised on the window when signing in is needed; opens the sign-in dialog. */
export const AUTH_REQUIRED = 'auth:required';

/** `background`: a guest's page fetched something by itself, so no dialog is opened. */
export interface AuthEventDetail {
  background: boolean;
}

export interface SessionState {
  method: AuthMethod;
  user: SessionUser | null;
  /** A sign-in link is being exchanged: the user is not known yet. */
  loading: boolean;
}

export class Session {
  readonly #store: LocalStore;
  readonly #target: EventTarget;
  readonly #changed = createEmitter();
  #state: SessionState;

  constructor(store: LocalStore, target: EventTarget) {
    this.#store = store;
    this.#target = target;
    this.#state = this.#read();
    target.addEventListener(AUTH_EXPIRED, () => this.clear());
    target.addEventListener(AUTH_REQUIRED, () => this.clear());
  }

  getState = (): SessionState => this.#state;

  subscribe = this.#changed.subscribe;

  // Read from storage each time: another tab may have renewed them.
  get accessToken(): string | null {
    return this.#store.get('accessToken');
  }

  get refreshToken(): string | null {
    return this.#store.get('refreshToken');
  }

  get apiKey(): string | null {
    return this.#store.get('apiKey');
  }

  /** Whether a reload finds the session: not where the browser stores nothing, or has no room. */
  get isStored(): boolean {
    return ['accessToken', 'refreshToken', 'apiKey'].every((name) => this.#store.isStored(name));
  }

  storeTokens(tokens: Tokens, user?: User): void {
    this.#store.set('apiKey', null);
    this.#store.set('accessToken', tokens.accessToken);
    this.#store.set('refreshToken', tokens.refreshToken);
    if (user !== undefined) this.#store.set('user', JSON.stringify(user));
    this.reload();
  }

  storeApiKey(apiKey: string, user: SessionUser): void {
    this.#store.set('accessToken', null);
    this.#store.set('refreshToken', null);
    this.#store.set('apiKey', apiKey);
    this.#store.set('user', JSON.stringify(user));
    this.reload();
  }

  storeUser(user: SessionUser): void {
    this.#store.set('user', JSON.stringify(user));
    this.reload();
  }

  clear(): void {
    for (const name of ['accessToken', 'refreshToken', 'user', 'apiKey']) this.#store.set(name, null);
    this.reload();
  }

  /** The refresh was refused: tokens, user and key are cleared and `auth:expired` is raised. */
  expire(): void {
    this.clear();
    this.#target.dispatchEvent(new Event(AUTH_EXPIRED));
  }

  /** Signing in is needed: access token, user and key are cleared and `auth:required` is raised. */
  require(detail: AuthEventDetail = { background: false }): void {
    this.clear();
    this.#target.dispatchEvent(new CustomEvent<AuthEventDetail>(AUTH_REQUIRED, { detail }));
  }

  setLoading(loading: boolean): void {
    this.#set({ ...this.#state, loading });
  }

  /** Reads the storage again, for example after another tab signed in or out. */
  reload(): void {
    this.#set({ ...this.#read(), loading: this.#state.loading });
  }

  #read(): SessionState {
    const method: AuthMethod =
      this.accessToken !== null || this.refreshToken !== null
        ? 'jwt'
        : this.apiKey !== null
          ? 'api_key'
          : 'none';
    return { method, user: method === 'none' ? null : parseUser(this.#store.get('user')), loading: false };
  }

  #set(state: SessionState): void {
    const before = this.#state;
    if (
      before.method === state.method &&
      before.loading === state.loading &&
      JSON.stringify(before.user) === JSON.stringify(state.user)
    )
      return;
    this.#state = state;
    this.#changed.emit();
  }
}

function parseUser(json: string | null): SessionUser | null {
  const user = json === null ? {} : asRecord(parseJson(json));
  return 'id' in user ? (user as unknown as SessionUser) : null;
}

/** The user's e-mail, or "User" where there is none. */
export function userLabel(user: SessionUser | null): string {
  return user !== null && 'email' in user && user.email !== '' ? user.email : 'User';
}

/** Whether this user is an administrator; an API key never is. */
export function isAdmin(user: SessionUser | null): boolean {
  return user !== null && 'is_admin' in user && user.is_admin;
}
