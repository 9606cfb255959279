// Users, sessions and API keys as the API shows them, and the calls of the authentication layer.
import { Type, type Static } from 'typebox';
import { defineRoute, errors, IsoTime, nonBlank, refTo } from './common.ts';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from './limits.ts';

const success = Type.Literal(true);
const tag = ['Authentication'];
const keyTag = ['API keys'];

/** What an API key may do; `ingest` may only create tasks. */
export const Scope = Type.Unsafe<'read' | 'write' | 'ingest'>({
  type: 'string',
  enum: ['read', 'write', 'ingest'],
});
export type Scope = Static<typeof Scope>;

/** A user, as answered to that user. */
export const User = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    avatar_url: Type.Union([Type.String(), Type.Null()]),
    created_at: IsoTime,
    auth_provider: Type.String({ description: 'google, email or link.' }),
    email_verified: Type.Boolean({
      description: 'Whether a sign-in link, a provider or the operator has proven whose the address is.',
    }),
    is_active: Type.Boolean(),
    last_login: Type.Union([IsoTime, Type.Null()]),
    is_admin: Type.Boolean(),
  },
  { $id: 'User' },
);
export type User = Static<typeof User>;

/** What stands in for a user when an API key asks who it is. */
export const IntegrationUser = Type.Object(
  {
    id: Type.Literal('api-user'),
    type: Type.Literal('integration'),
    method: Type.Literal('api_key'),
    scopes: Type.Array(Scope),
  },
  { $id: 'IntegrationUser' },
);
export type IntegrationUser = Static<typeof IntegrationUser>;

export const Tokens = Type.Object(
  {
    accessToken: Type.String({ description: 'Bearer token (JWT), good for 15 minutes.' }),
    refreshToken: Type.String({ description: 'Changes at each refresh; 30 days at most.' }),
  },
  { $id: 'Tokens' },
);
export type Tokens = Static<typeof Tokens>;

/** An API key without the key itself, which is shown once, in the answer to its creation. */
export const ApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.Union([Type.String(), Type.Null()]),
    prefix: Type.String({ description: 'The first 8 characters.' }),
    last4: Type.String(),
    scopes: Type.Array(Scope),
    created_at: IsoTime,
    last_used_at: Type.Union([IsoTime, Type.Null()]),
    is_active: Type.Boolean(),
  },
  { $id: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

const signedIn = Type.Object({ success, user: refTo(User), tokens: refTo(Tokens) });

const bodyErrors = errors(400, 413, 415);
const email = Type.String({ minLength: 3, maxLength: 254, examples: ['me@example.com'] });
const password = Type.String({ minLength: 1, maxLength: MAX_PASSWORD_CHARACTERS });

/** How a user may change itself. */
export const EditProfile = Type.Object(
  {
    name: Type.Optional(nonBlank('must not be empty', { maxLength: 100 })),
    avatar_url: Type.Optional(
      Type.Union([
        Type.String({
          pattern: '^https://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?(/[!-~]*)?$',
          maxLength: 2000,
        }),
        Type.Null(),
      ]),
    ),
  },
  { $id: 'EditProfile', minProperties: 1 },
);
export type EditProfile = Static<typeof EditProfile>;

/** What a new key is to be. */
const CreateApiKey = Type.Object(
  {
    name: nonBlank('Please enter a name for the API key', { maxLength: 100, examples: ['cron'] }),
    description: Type.Optional(Type.String({ maxLength: 500 })),
    scopes: Type.Optional(
      Type.Array(Scope, { minItems: 1, maxItems: 10, description: 'Default: read and write.' }),
    ),
  },
  { $id: 'CreateApiKey' },
);

/** A key that was just made: the only time that it is told in full. */
const NewApiKey = Type.Object({ ...ApiKey.properties, key: Type.String() }, { $id: 'NewApiKey' });
export type NewApiKey = Static<typeof NewApiKey>;

export const authRoutes = {
  google: defineRoute({
    method: 'POST',
    path: '/auth/google',
    access: 'public',
    limit: 'sign-in',
    schema: {
      operationId: 'signInWithGoogle',
      summary: 'Sign in with a Google ID token',
      description:
        'The e-mail address must be verified, and be that of a proven account or on the lists of the operator (ALLOWED_EMAILS, ' +
        'ALLOWED_DOMAINS); any other is 403. Makes the user at the first sign-in.',
      tags: tag,
      body: Type.Object({ idToken: Type.String({ minLength: 1, maxLength: 8192 }) }),
      response: { 200: signedIn, ...bodyErrors, ...errors(401, 403) },
    },
  }),
  signup: defineRoute({
    method: 'POST',
    path: '/auth/signup',
    access: 'public',
    limit: 'sign-in',
    schema: {
      operationId: 'signUp',
      summary: 'Make a user with e-mail and password',
      description:
        '403 unless the operator sets EMAIL_SIGNIN=true. The address is not proven: whoever proves it later shuts this user out.',
      tags: tag,
      body: Type.Object({
        name: nonBlank('Name is required for sign up', { maxLength: 100 }),
        email,
        password: Type.String({ minLength: MIN_PASSWORD_CHARACTERS, maxLength: MAX_PASSWORD_CHARACTERS }),
      }),
      response: { 201: signedIn, ...bodyErrors, ...errors(403, 409) },
    },
  }),
  login: defineRoute({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    limit: 'sign-in',
    schema: {
      operationId: 'signIn',
      summary: 'Sign in with e-mail and password',
      description:
        '403 unless the operator sets EMAIL_SIGNIN=true. Answers the same, and as slowly, for an unknown address and for a wrong password.',
      tags: tag,
      body: Type.Object({ email, password }),
      response: { 200: signedIn, ...bodyErrors, ...errors(401, 403) },
    },
  }),
  link: defineRoute({
    method: 'POST',
    path: '/auth/link',
    access: 'public',
    limit: 'sign-in',
    schema: {
      operationId: 'signInWithLink',
      summary: 'Sign in with a one-time link',
      description: 'The token of a sign-in link: good for 15 minutes, once.',
      tags: tag,
      body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
      response: { 200: signedIn, ...bodyErrors, ...errors(401, 403) },
    },
  }),
  refresh: defineRoute({
    method: 'POST',
    path: '/auth/refresh',
    access: 'public',
    limit: 'refresh',
    schema: {
      operationId: 'refreshSession',
      summary: 'Exchange a refresh token for new tokens',
      description: 'The one before is good for 10 seconds more; an older one ends the whole session.',
      tags: tag,
      body: Type.Object({ refreshToken: Type.String({ minLength: 1, maxLength: 300 }) }),
      response: {
        200: Type.Object({ success, tokens: refTo(Tokens) }),
        ...errors(400, 401, 413, 415),
      },
    },
  }),
  logout: defineRoute({
    method: 'POST',
    path: '/auth/logout',
    access: 'session',
    schema: {
      operationId: 'signOut',
      summary: 'End this session at once',
      tags: tag,
      response: { 200: Type.Object({ success }) },
    },
  }),
  profile: defineRoute({
    method: 'GET',
    path: '/auth/profile',
    access: 'authenticated',
    schema: {
      operationId: 'readProfile',
      summary: 'Who is calling',
      description: 'A user for a session; a stand-in (`api-user`) for an API key.',
      tags: tag,
      response: {
        200: Type.Object({
          success,
          user: Type.Unsafe<User | IntegrationUser>({ anyOf: [refTo(User), refTo(IntegrationUser)] }),
        }),
      },
    },
  }),
  editProfile: defineRoute({
    method: 'PUT',
    path: '/auth/profile',
    access: 'session',
    schema: {
      operationId: 'editProfile',
      summary: 'Change the own name or picture',
      tags: tag,
      body: EditProfile,
      response: { 200: Type.Object({ success, user: refTo(User) }), ...bodyErrors },
    },
  }),
  listKeys: defineRoute({
    method: 'GET',
    path: '/auth/api-keys',
    access: 'session',
    schema: {
      operationId: 'listApiKeys',
      summary: 'List the own active API keys, newest first',
      tags: keyTag,
      response: { 200: Type.Object({ success, apiKeys: Type.Array(refTo(ApiKey)) }) },
    },
  }),
  createKey: defineRoute({
    method: 'POST',
    path: '/auth/api-keys',
    access: 'session',
    schema: {
      operationId: 'createApiKey',
      summary: 'Make an API key',
      description:
        'The key is in this answer and nowhere else. At most 25 active ones; one more is refused with 409.',
      tags: keyTag,
      body: CreateApiKey,
      response: { 201: Type.Object({ success, apiKey: refTo(NewApiKey) }), ...bodyErrors, ...errors(409) },
    },
  }),
  revokeKey: defineRoute({
    method: 'DELETE',
    path: '/auth/api-keys/:id',
    access: 'session',
    schema: {
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key',
      description: 'Felt within a second by every process, live connections included. Cannot be undone.',
      tags: keyTag,
      params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
      response: { 200: Type.Object({ success }), ...errors(400, 404) },
    },
  }),
};
