// What administrators see and do: how the server stands, what could not become a task, who may come in.
import { Type, type Static } from 'typebox';
import { User } from './auth.ts';
import {
  errors,
  id,
  IsoTime,
  nonBlank,
  nullable,
  oneOf,
  refTo,
  routesTagged,
  shape,
  success,
} from './common.ts';
import { PartState } from './system.ts';

const route = routesTagged('Administration');

/**
 * A submission that could not become a task; kept 24 hours. Its content is shown so that a person can judge.
 */
export const Rejected = shape('Rejected', {
  id: Type.String(),
  adapter: Type.String(),
  owner: nullable(Type.String({ description: 'E-mail address.' })),
  content: Type.String({ description: 'Of its first task.' }),
  tasks: Type.Integer({ description: 'How many tasks it would have made.' }),
  code: Type.String(),
  reason: Type.String(),
  attempts: Type.Integer(),
  submittedAt: IsoTime,
  rejectedAt: IsoTime,
  requestId: Type.String(),
});
export type Rejected = Static<typeof Rejected>;

const Created = Type.Object({ lastMinute: Type.Integer(), lastHour: Type.Integer() });

const ProcessState = Type.Object({
  instance: Type.String({ description: 'Host and process id, as in the log.' }),
  role: Type.String(),
  version: Type.String(),
  startedAt: IsoTime,
  liveConnections: Type.Integer(),
  tasksCreated: Created,
});

/** How the installation stands; figures are those of all processes, none older than five seconds. */
export const Overview = shape('Overview', {
  version: Type.String(),
  size: oneOf(['embedded', 'production']),
  startedAt: IsoTime,
  processes: Type.Array(ProcessState, {
    description: 'All that run; while Redis is away, only the one that answers.',
  }),
  parts: Type.Array(PartState),
  queue: Type.Array(
    Type.Object({
      adapter: Type.String(),
      waiting: Type.Integer(),
      active: Type.Integer(),
      oldestMs: Type.Integer({ description: 'How long the one that waits longest has waited.' }),
      unanswered: Type.Integer({
        description: 'Queues of it that did not answer: what is in them is not in the other figures.',
      }),
    }),
  ),
  rejected: Type.Integer(),
  liveConnections: Type.Integer(),
  tasksCreated: Created,
  users: Type.Array(
    Type.Object({
      id: Type.String(),
      email: Type.String(),
      name: Type.String(),
      is_admin: Type.Boolean(),
      is_active: Type.Boolean(),
      last_login: nullable(IsoTime),
    }),
  ),
});
export type Overview = Static<typeof Overview>;

/** A link that signs its holder in, once. */
export const SignInLink = shape('SignInLink', {
  url: Type.String({ description: 'Below PUBLIC_URL.' }),
  token: Type.String({ description: 'What `POST /auth/link` takes.' }),
  expiresAt: IsoTime,
});
export type SignInLink = Static<typeof SignInLink>;

const InviteUser = shape('InviteUser', {
  email: Type.String({ minLength: 3, maxLength: 254, examples: ['ann@example.com'] }),
  name: Type.Optional(nonBlank('must not be empty', { maxLength: 100 })),
  is_admin: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
});

const EditUser = Type.Object(
  {
    is_active: Type.Optional(
      Type.Boolean({ description: 'false ends the sessions at once; keys and intakes rest.' }),
    ),
    is_admin: Type.Optional(Type.Boolean()),
  },
  { $id: 'EditUser', minProperties: 1 },
);

const invited = Type.Object({ success, user: refTo(User), link: refTo(SignInLink) });

export const adminRoutes = {
  overview: route('GET', '/admin/overview', 'admin', {
    answersMuch: true,
    operationId: 'adminOverview',
    summary: 'How the server stands',
    response: { 200: Type.Object({ success, overview: refTo(Overview) }) },
  }),
  rejected: route('GET', '/admin/rejected', 'admin', {
    answersMuch: true,
    operationId: 'listRejected',
    summary: 'List submissions that could not become tasks',
    description: 'The latest of the last 24 hours: at most 200, and as many as 1 MiB holds.',
    response: { 200: Type.Object({ success, rejected: Type.Array(refTo(Rejected)) }) },
  }),
  retry: route('POST', '/admin/rejected/:id/retry', 'admin', {
    operationId: 'retryRejected',
    summary: 'Submit a rejected submission again',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404, 409, 422) },
  }),
  discard: route('DELETE', '/admin/rejected/:id', 'admin', {
    operationId: 'discardRejected',
    summary: 'Discard a rejected submission',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404) },
  }),
  listUsers: route('GET', '/admin/users', 'admin', {
    answersMuch: true,
    operationId: 'listUsers',
    summary: 'List users, oldest first',
    response: { 200: Type.Object({ success, users: Type.Array(refTo(User)) }) },
  }),
  inviteUser: route('POST', '/admin/users', 'admin', {
    operationId: 'inviteUser',
    summary: 'Make a user, and a link that signs them in once',
    description:
      'The link is good for 15 minutes. 409 when there is a user with this address; somebody who only signed up with it, without ' +
      'proof, is shut out.',
    body: InviteUser,
    response: { 201: invited, ...errors(400, 409, 413, 415) },
  }),
  editUser: route('PATCH', '/admin/users/:id', 'admin', {
    operationId: 'editUser',
    summary: 'Disable or enable a user, give or take administrator rights',
    description:
      'Felt within a second by every process, live connections included. 409 for the own access and rights, and for the last ' +
      'active administrator.',
    params: id,
    body: EditUser,
    response: { 200: Type.Object({ success, user: refTo(User) }), ...errors(400, 404, 409, 413, 415) },
  }),
  linkUser: route('POST', '/admin/users/:id/link', 'admin', {
    operationId: 'createUserLink',
    summary: 'Make a link that signs a user in once',
    description: 'Good for 15 minutes. 409 for a disabled user.',
    params: id,
    response: { 201: invited, ...errors(400, 404, 409) },
  }),
};
