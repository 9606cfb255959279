// The API's calls on Slack: whether it is set up, linked accounts, tied channels, and the code that links an
// account.
import { Type, type Static } from 'typebox';
import { defineRoute, ErrorBody, IsoTime, refTo } from '#core/contract/common.ts';

/** How long a link code is good: 10 minutes. */
export const LINK_CODE_TTL_MS = 10 * 60_000;

const success = Type.Literal(true);
const Error = refTo(ErrorBody);
const tags = ['Slack'];
const nullableText = Type.Union([Type.String(), Type.Null()]);
const id = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

/** A person in Slack whose tasks go to the caller. */
export const SlackAccount = Type.Object(
  {
    id: Type.String({ examples: ['T0123ABCD:U0123ABCD'] }),
    team: Type.String({ description: 'Name of the workspace, or its id.' }),
    user: Type.String({ description: 'Name of the person there, or the id.' }),
    linked_at: IsoTime,
  },
  { $id: 'SlackAccount' },
);
export type SlackAccount = Static<typeof SlackAccount>;

/** A channel whose tasks all go to one owner. */
export const SlackChannel = Type.Object(
  {
    id: Type.String({ examples: ['C0123ABCD'] }),
    name: nullableText,
    owner: Type.Union([Type.String({ description: 'E-mail address.' }), Type.Null()]),
    tied_at: IsoTime,
  },
  { $id: 'SlackChannel' },
);
export type SlackChannel = Static<typeof SlackChannel>;

/** How Slack stands for the caller. */
export const SlackStatus = Type.Object(
  {
    configured: Type.Boolean(),
    mode: Type.Union([
      Type.Unsafe<'http' | 'socket'>({ type: 'string', enum: ['http', 'socket'] }),
      Type.Null(),
    ]),
    installUrl: Type.Union([
      Type.String({ description: 'Where the app is added to a workspace; null where that is not offered.' }),
      Type.Null(),
    ]),
    accounts: Type.Array(refTo(SlackAccount)),
    channels: Type.Union([Type.Array(refTo(SlackChannel)), Type.Null()], {
      description: 'For administrators.',
    }),
  },
  { $id: 'SlackStatus' },
);
export type SlackStatus = Static<typeof SlackStatus>;

const TieSlackChannel = Type.Object(
  {
    channel: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Its id, or its link as Slack copies it.',
      examples: ['C0123ABCD'],
    }),
    name: Type.Optional(Type.String({ maxLength: 80 })),
    owner: Type.String({
      minLength: 3,
      maxLength: 254,
      description: 'E-mail address of the owner of its tasks.',
    }),
  },
  { $id: 'TieSlackChannel' },
);
export const slackRoutes = {
  status: defineRoute({
    method: 'GET',
    path: '/slack',
    access: 'session',
    schema: {
      operationId: 'slackStatus',
      summary: 'How Slack stands for you',
      tags,
      response: { 200: Type.Object({ success, slack: refTo(SlackStatus) }) },
    },
  }),
  code: defineRoute({
    method: 'POST',
    path: '/slack/code',
    access: 'session',
    schema: {
      operationId: 'createSlackCode',
      summary: 'Get a code that links your Slack account',
      description:
        'Type `/task link CODE` in Slack. Good once, for 10 minutes; asking for another ends the one before.',
      tags,
      response: { 201: Type.Object({ success, code: Type.String(), expiresAt: IsoTime }) },
    },
  }),
  unlink: defineRoute({
    method: 'DELETE',
    path: '/slack/accounts/:id',
    access: 'session',
    schema: {
      operationId: 'unlinkSlackAccount',
      summary: 'Unlink one of your Slack accounts',
      tags,
      params: id,
      response: { 200: Type.Object({ success }), 400: Error, 404: Error },
    },
  }),
  tie: defineRoute({
    method: 'POST',
    path: '/slack/channels',
    access: 'admin',
    schema: {
      operationId: 'tieSlackChannel',
      summary: 'Send the tasks of a channel to one owner',
      tags,
      body: TieSlackChannel,
      response: {
        201: Type.Object({ success, channel: refTo(SlackChannel) }),
        400: Error,
        413: Error,
        415: Error,
      },
    },
  }),
  untie: defineRoute({
    method: 'DELETE',
    path: '/slack/channels/:id',
    access: 'admin',
    schema: {
      operationId: 'untieSlackChannel',
      summary: 'Let the tasks of a channel go to whoever makes them',
      tags,
      params: id,
      response: { 200: Type.Object({ success }), 400: Error, 404: Error },
    },
  }),
};
