// What happens when nobody acknowledges: escalations, step by step, and the digest of what expired unseen.
import { Type, type Static } from 'typebox';
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
import {
  MAX_ESCALATION_STEPS,
  MAX_ESCALATIONS,
  MAX_EXPIRY_MINUTES,
  MAX_WEBHOOK_URL_CHARACTERS,
} from './limits.ts';
import { Priority } from './tasks.ts';

const escalations = routesTagged('Escalation');
const digests = routesTagged('Digest');

export const EscalationKind = oneOf(['push', 'slack', 'mail', 'webhook'], {
  description:
    'push: the own devices, again. slack: a message of the connected app to an own account or channel, or by an ' +
    'incoming webhook of Slack or of what takes the same. ' +
    'mail: over the relay that the operator names. webhook: a webhook of the own is told `task.escalated`.',
});
export type EscalationKind = Static<typeof EscalationKind>;

const afterMinutes = Type.Integer({
  minimum: 0,
  maximum: MAX_EXPIRY_MINUTES,
  description: 'So long after the task came, or came back from a snooze, while nobody has acknowledged it.',
  examples: [15],
});

const SaveEscalationStep = Type.Object(
  {
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Of a step that stays.' })),
    afterMinutes,
    kind: EscalationKind,
    to: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_WEBHOOK_URL_CHARACTERS,
        description:
          'slack: the id of one of the places in `slack` of the list, or the address of an incoming webhook; left out, ' +
          'what the step that stays has. mail: an address. ' +
          'webhook: its id. push: nothing.',
        examples: ['oncall@example.com'],
      }),
    ),
  },
  // Of one kind: most take a `to`, a push takes none.
  { additionalProperties: false, examples: [{ afterMinutes: 15, kind: 'push' }] },
);
export type SaveEscalationStep = Static<typeof SaveEscalationStep>;

const settings = {
  name: nonBlank('must not be empty', { maxLength: 100, examples: ['Production alerts'] }),
  intake: nullable(Type.String({ minLength: 1, maxLength: 100 }), {
    description: 'The intake that it is for, by its id. Null: all tasks that no other escalation is for.',
  }),
  priorities: Type.Array(Priority, {
    minItems: 1,
    maxItems: 3,
    uniqueItems: true,
    description: 'Tasks of these are escalated.',
  }),
  paused: Type.Boolean({ description: 'Steps that are due while it is paused are left out.' }),
};

/** What an escalation is made of. */
export const SaveEscalation = Type.Object(
  {
    ...settings,
    paused: Type.Optional(Type.Boolean()),
    steps: Type.Array(SaveEscalationStep, { minItems: 1, maxItems: MAX_ESCALATION_STEPS }),
  },
  { $id: 'SaveEscalation', additionalProperties: false },
);
export type SaveEscalation = Static<typeof SaveEscalation>;

/** An escalation as its owner sees it; never the address of an incoming webhook. */
export const Escalation = shape('Escalation', {
  id: Type.String(),
  ...settings,
  steps: Type.Array(
    Type.Object({
      id: Type.String(),
      afterMinutes,
      kind: EscalationKind,
      to: nullable(Type.String(), {
        description:
          'slack: the id of the account or channel, or host and end of the address. mail: the address. webhook: its id. push: null.',
      }),
    }),
    { description: 'In the order of their times.' },
  ),
  created_at: IsoTime,
  updated_at: IsoTime,
});
export type Escalation = Static<typeof Escalation>;

/** A step of one task. */
export const EscalationRun = shape('EscalationRun', {
  step: Type.String({ description: 'Its id.' }),
  taskId: nullable(Type.String(), { description: 'Null for a test.' }),
  title: Type.String({
    description: 'The first line of the task as it came. Text from outside: show it as text.',
  }),
  dueAt: IsoTime,
  status: oneOf(['waiting', 'done', 'stopped', 'failed'], {
    description: 'waiting: for its time, or to be tried again. stopped: there was no need for it any more.',
  }),
  attempts: Type.Integer(),
  lastAttemptAt: nullable(IsoTime),
  detail: nullable(
    Type.String({ description: 'What came of it: a sentence. Text from outside: show it as text.' }),
  ),
});
export type EscalationRun = Static<typeof EscalationRun>;

const one = Type.Object({ success, escalation: refTo(Escalation) });

export const escalationRoutes = {
  list: escalations('GET', '/escalations', 'write', {
    answersMuch: true,
    operationId: 'listEscalations',
    summary: 'List the own escalations, oldest first',
    response: {
      200: Type.Object({
        success,
        escalations: Type.Array(refTo(Escalation)),
        mail: Type.Boolean({ description: 'Whether this server sends mail.' }),
        slack: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
          description:
            'Own accounts in Slack and channels there that are tied to the own queue: steps may go to these by the connected app.',
        }),
      }),
    },
  }),
  create: escalations('POST', '/escalations', 'session', {
    operationId: 'createEscalation',
    summary: 'Say what happens with tasks that nobody acknowledges',
    description:
      `At most ${MAX_ESCALATIONS}, one for each intake and one for all else. It is for tasks that come from now on. ` +
      'Each step is done once for a task, and no more once the task is acknowledged or has expired.',
    body: SaveEscalation,
    response: { 201: one, ...errors(400, 409, 413, 415) },
  }),
  save: escalations('PUT', '/escalations/:id', 'session', {
    operationId: 'saveEscalation',
    summary: 'Change an escalation',
    description:
      'Steps whose ids are left out are deleted, also for tasks that wait for them. New steps are for tasks that come ' +
      'from now on.',
    params: id,
    body: SaveEscalation,
    response: { 200: one, ...errors(400, 404, 409, 413, 415) },
  }),
  remove: escalations('DELETE', '/escalations/:id', 'session', {
    operationId: 'deleteEscalation',
    summary: 'Delete an escalation with all steps that wait',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404) },
  }),
  test: escalations('POST', '/escalations/:id/test', 'session', {
    operationId: 'testEscalation',
    summary: 'Do every step now, with a sample task',
    description: 'In the background: look at the runs for what came of it.',
    params: id,
    response: { 202: Type.Object({ success }), ...errors(400, 404, 409) },
  }),
  runs: escalations('GET', '/escalations/:id/runs', 'read-write', {
    answersMuch: true,
    operationId: 'listEscalationRuns',
    summary: 'List the last 100 steps of an escalation, the latest due first',
    params: id,
    response: { 200: Type.Object({ success, runs: Type.Array(refTo(EscalationRun)) }), ...errors(400, 404) },
  }),
};

/** When and how somebody is told what expired unseen. */
export const Digest = Type.Object(
  {
    time: Type.String({
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      'x-refusal': 'must be a time of day such as 08:00',
      examples: ['08:00'],
    }),
    zone: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'A time zone of the IANA database.',
      examples: ['Europe/Berlin'],
    }),
    to: Type.Array(oneOf(['task', 'mail', 'push']), {
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
      description: 'task: a task in the own inbox. mail: to the own address. push: to the own devices.',
    }),
  },
  { additionalProperties: false },
);
export type Digest = Static<typeof Digest>;

const answer = Type.Object({
  success,
  digest: nullable(Digest, { description: 'Null while it is off.' }),
  mail: Type.Boolean({ description: 'Whether this server sends mail.' }),
});

export const digestRoutes = {
  get: digests('GET', '/digest', 'read', {
    operationId: 'getDigest',
    summary: 'When and how the digest of what expired unseen is sent',
    response: { 200: answer },
  }),
  set: digests('PUT', '/digest', 'session', {
    operationId: 'setDigest',
    summary: 'Have a digest of what expired unseen once a day, or none',
    body: Type.Object({ digest: nullable(Digest) }, { additionalProperties: false }),
    response: { 200: answer, ...errors(400, 413, 415) },
  }),
};
