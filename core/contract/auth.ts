// Users, sessions and API keys as the API shows them, and the calls of the authentication layer.
import { Type, type Static } from 'typebox';
import { defineRoute, ErrorBody, IsoTime, refTo } from './common.ts';

const success = Type.Literal(true);
const Error = refTo(ErrorBody);
const tag = ['Authentication'];

/** How a caller proved who it is. */
export const AuthMethod = Type.Unsafe<'jwt' | 'api_key'>({ type: 'string', enum: ['jwt', 'api_key'] });

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
    email_verified: Type.Boolean(),
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

export const authRoutes = {
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
      response: { 200: signedIn, 400: Error, 401: Error, 413: Error, 415: Error },
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
        400: Error,
        401: Error,
        413: Error,
        415: Error,
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
};
