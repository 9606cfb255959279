// Users, sessions and API keys as the API shows them, and the calls of the authentication layer.
import { Type, type Static } from 'typebox';
import {
  errors,
  id,
  IsoTime,
  TimeToCome,
  nonBlank,
  nullable,
  oneOf,
  refTo,
  routesTagged,
  shape,
  success,
} from './common.ts';
import { MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from './limits.ts';

const route = routesTagged('Authentication');
const keyRoute = routesTagged('API keys');

/** What an API key may do; `ingest` may only create tasks. */
export const Scope = oneOf(['read', 'write', 'ingest']);
export type Scope = Static<typeof Scope>;

/** A user, as answered to that user. */
export const User = shape('User', {
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  avatar_url: nullable(Type.String()),
  created_at: IsoTime,
  auth_provider: Type.String({ description: 'google, email or link.' }),
  email_verified: Type.Boolean({
    description: 'Whether a sign-in link, a provider or the operator has proven whose the address is.',
  }),
  is_active: Type.Boolean(),
  last_login: nullable(IsoTime),
  is_admin: Type.Boolean(),
});
export type User = Static<typeof User>;

/** What stands in for a user when an API key asks who it is. */
export const IntegrationUser = shape('IntegrationUser', {
  id: Type.Literal('api-user'),
  type: Type.Literal('integration'),
  method: Type.Literal('api_key'),
  scopes: Type.Array(Scope),
});
export type IntegrationUser = Static<typeof IntegrationUser>;

export const Tokens = shape('Tokens', {
  accessToken: Type.String({ description: 'Bearer token (JWT), good for 15 minutes.' }),
  refreshToken: Type.String({ description: 'Changes at each refresh; 30 days at most.' }),
});
export type Tokens = Static<typeof Tokens>;

/** An API key without the key itself, which is shown once, in the answer to its creation. */
export const ApiKey = shape('ApiKey', {
  id: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  prefix: Type.String({ description: 'The first 8 characters.' }),
  last4: Type.String(),
  scopes: Type.Array(Scope),
  created_at: IsoTime,
  expires_at: nullable(IsoTime, { description: 'From then on it is refused; null: it does not expire.' }),
  last_used_at: nullable(IsoTime),
  is_active: Type.Boolean(),
});
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
      nullable(
        Type.String({
          pattern: '^https://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,5})?(/[!-~]*)?$',
          maxLength: 2000,
          'x-refusal': 'must be an address that begins with https://, or null',
        }),
      ),
    ),
  },
  { $id: 'EditProfile', minProperties: 1 },
);
export type EditProfile = Static<typeof EditProfile>;

/** What a new key is to be. */
const CreateApiKey = shape('CreateApiKey', {
  name: nonBlank('Please enter a name for the API key', { maxLength: 100, examples: ['cron'] }),
  description: Type.Optional(Type.String({ maxLength: 500 })),
  scopes: Type.Optional(
    Type.Array(Scope, { minItems: 1, maxItems: 10, description: 'Default: read and write.' }),
  ),
  expires_at: Type.Optional(
    nullable(TimeToCome, {
      description: 'When it ends by itself, in the future. Default: null, it does not.',
    }),
  ),
});

/** A key that was just made: the only time that it is told in full. */
const NewApiKey = shape('NewApiKey', { ...ApiKey.properties, key: Type.String() });
export type NewApiKey = Static<typeof NewApiKey>;

export const authRoutes = {
  google: route('POST', '/auth/google', 'public', {
    limit: 'sign-in',
    operationId: 'signInWithGoogle',
    summary: 'Sign in with a Google ID token',
    description:
      'The e-mail address must be verified, and be that of a proven account or on the lists of the operator (ALLOWED_EMAILS, ' +
      'ALLOWED_DOMAINS); any other is 403. Makes the user at the first sign-in. A token that Google was asked for with a ' +
      'nonce comes with `rawNonce`, of which the nonce is the SHA-256 hash in hex; else it is 401.',
    body: Type.Object({
      idToken: Type.String({ minLength: 1, maxLength: 8192 }),
      rawNonce: Type.Optional(
        Type.String({
          minLength: 32,
          maxLength: 200,
          description: 'Random, of this sign-in alone. With it no token without a nonce is taken.',
        }),
      ),
    }),
    response: { 200: signedIn, ...bodyErrors, ...errors(401, 403) },
  }),
  signup: route('POST', '/auth/signup', 'public', {
    limit: 'sign-in',
    operationId: 'signUp',
    summary: 'Make a user with e-mail and password',
    description:
      '403 unless the operator sets EMAIL_SIGNIN=true. The address is not proven: the person who proves it later shuts this user out.',
    body: Type.Object({
      name: nonBlank('Name is required for sign up', { maxLength: 100 }),
      email,
      password: Type.String({ minLength: MIN_PASSWORD_CHARACTERS, maxLength: MAX_PASSWORD_CHARACTERS }),
    }),
    response: { 201: signedIn, ...bodyErrors, ...errors(403, 409) },
  }),
  login: route('POST', '/auth/login', 'public', {
    limit: 'sign-in',
    operationId: 'signIn',
    summary: 'Sign in with e-mail and password',
    description:
      '403 unless the operator sets EMAIL_SIGNIN=true. Answers the same, and as slowly, for an unknown address and for a wrong password.',
    body: Type.Object({ email, password }),
    response: { 200: signedIn, ...bodyErrors, ...errors(401, 403) },
  }),
  link: route('POST', '/auth/link', 'public', {
    limit: 'sign-in',
    operationId: 'signInWithLink',
    summary: 'Sign in with a one-time link',
    description: 'The token of a sign-in link: good for 15 minutes, once.',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
    response: { 200: signedIn, ...bodyErrors, ...errors(401, 403) },
  }),
  refresh: route('POST', '/auth/refresh', 'public', {
    limit: 'refresh',
    operationId: 'refreshSession',
    summary: 'Exchange a refresh token for new tokens',
    description: 'The one before is good for 10 seconds more; an older one ends the whole session.',
    body: Type.Object({ refreshToken: Type.String({ minLength: 1, maxLength: 300 }) }),
    response: { 200: Type.Object({ success, tokens: refTo(Tokens) }), ...bodyErrors, ...errors(401) },
  }),
  logout: route('POST', '/auth/logout', 'session', {
    operationId: 'signOut',
    summary: 'End this session at once',
    response: { 200: Type.Object({ success }) },
  }),
  profile: route('GET', '/auth/profile', 'authenticated', {
    operationId: 'readProfile',
    summary: 'Who is calling',
    description: 'A user for a session; a stand-in (`api-user`) for an API key.',
    response: {
      200: Type.Object({
        success,
        user: Type.Unsafe<User | IntegrationUser>({ anyOf: [refTo(User), refTo(IntegrationUser)] }),
      }),
    },
  }),
  editProfile: route('PUT', '/auth/profile', 'session', {
    operationId: 'editProfile',
    summary: 'Change the own name or picture',
    body: EditProfile,
    response: { 200: Type.Object({ success, user: refTo(User) }), ...bodyErrors },
  }),
  listKeys: keyRoute('GET', '/auth/api-keys', 'session', {
    operationId: 'listApiKeys',
    summary: 'List the own active API keys, newest first',
    description: 'Without those that were revoked or have expired.',
    response: { 200: Type.Object({ success, apiKeys: Type.Array(refTo(ApiKey)) }) },
  }),
  createKey: keyRoute('POST', '/auth/api-keys', 'session', {
    operationId: 'createApiKey',
    summary: 'Make an API key',
    description:
      'The key is in this answer and nowhere else. At most 25 active ones; one more is refused with 409.',
    body: CreateApiKey,
    response: { 201: Type.Object({ success, apiKey: refTo(NewApiKey) }), ...bodyErrors, ...errors(409) },
  }),
  revokeKey: keyRoute('DELETE', '/auth/api-keys/:id', 'session', {
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'Felt within a second by every process, live connections included. Cannot be undone.',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404) },
  }),
};
