// The API's calls on Slack: its status, linked accounts, tied channels, the code that links an account.
import { Type, type Static } from 'typebox';
import {
  errors,
  id,
  IsoTime,
  nullable,
  oneOf,
  refTo,
  routesTagged,
  shape,
  success,
} from '#core/contract/common.ts';

/** How long a link code is good: 10 minutes. */
export const LINK_CODE_TTL_MS = 10 * 60_000;

const route = routesTagged('Slack');

/** A person in Slack whose tasks go to the caller. */
export const SlackAccount = shape('SlackAccount', {
  id: Type.String({ examples: ['T0123ABCD:U0123ABCD'] }),
  team: Type.String({ description: 'Name of the workspace, or its id.' }),
  user: Type.String({ description: 'Name of the person there, or the id.' }),
  linked_at: IsoTime,
  fault: nullable(Type.String(), {
    description: 'Why messages of the app do not come to this workspace; null where they do.',
  }),
});
export type SlackAccount = Static<typeof SlackAccount>;

/** A channel whose tasks all go to one owner. */
export const SlackChannel = shape('SlackChannel', {
  id: Type.String({ examples: ['C0123ABCD'] }),
  name: nullable(Type.String()),
  owner: nullable(Type.String({ description: 'E-mail address.' })),
  tied_at: IsoTime,
});
export type SlackChannel = Static<typeof SlackChannel>;

/** How Slack stands for the caller. */
export const SlackStatus = shape('SlackStatus', {
  configured: Type.Boolean(),
  mode: nullable(oneOf(['http', 'socket'])),
  installUrl: nullable(
    Type.String({ description: 'Where the app is added to a workspace; null where that is not offered.' }),
  ),
  accounts: Type.Array(refTo(SlackAccount)),
  channels: nullable(Type.Array(refTo(SlackChannel)), {
    description: 'For administrators.',
  }),
});
export type SlackStatus = Static<typeof SlackStatus>;

const TieSlackChannel = shape('TieSlackChannel', {
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
    examples: ['owner@example.com'],
  }),
});
export const slackRoutes = {
  status: route('GET', '/slack', 'session', {
    operationId: 'slackStatus',
    summary: 'How Slack stands for you',
    response: { 200: Type.Object({ success, slack: refTo(SlackStatus) }) },
  }),
  code: route('POST', '/slack/code', 'session', {
    operationId: 'createSlackCode',
    summary: 'Get a code that links your Slack account',
    description:
      'Type `/task link CODE` in Slack. Good once, for 10 minutes; asking for another ends the one before.',
    response: { 201: Type.Object({ success, code: Type.String(), expiresAt: IsoTime }) },
  }),
  unlink: route('DELETE', '/slack/accounts/:id', 'session', {
    operationId: 'unlinkSlackAccount',
    summary: 'Unlink one of your Slack accounts',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404) },
  }),
  tie: route('POST', '/slack/channels', 'admin', {
    operationId: 'tieSlackChannel',
    summary: 'Send the tasks of a channel to one owner',
    body: TieSlackChannel,
    response: {
      201: Type.Object({ success, channel: refTo(SlackChannel) }),
      ...errors(400, 413, 415),
    },
  }),
  untie: route('DELETE', '/slack/channels/:id', 'admin', {
    operationId: 'untieSlackChannel',
    summary: 'Let the tasks of a channel go to their authors',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404) },
  }),
};
