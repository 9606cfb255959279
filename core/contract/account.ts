// The account of the caller: what is stored of it, its file for backup and moving, and its end.
import { Type, type Static } from 'typebox';
import { ApiKey } from './auth.ts';
import { errors, IsoTime, nullable, oneOf, refTo, routesTagged, shape, success } from './common.ts';
import { Digest, Escalation } from './follow-ups.ts';
import { CreateIntake, Intake } from './intakes.ts';
import { MAX_ACCOUNT_FILE_BYTES } from './limits.ts';
import { PushRules } from './push.ts';
import { Task, TaskIntake } from './tasks.ts';
import { View } from './views.ts';
import { SaveWebhook } from './webhooks.ts';

const route = routesTagged('Account');

/** The version of the file that is written; it reads this one and all before it. */
export const ACCOUNT_FILE_VERSION = 1;

/** The kinds of things that a file has, in the order in which they are taken in. */
export const ACCOUNT_KINDS = [
  'intakes',
  'webhooks',
  'views',
  'pushRules',
  'escalations',
  'digest',
  'keys',
  'tasks',
] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];
const kind = oneOf(ACCOUNT_KINDS);

const numbers = (description: string) =>
  Type.Object(
    Object.fromEntries(ACCOUNT_KINDS.map((name) => [name, Type.Integer({ minimum: 0 })])) as Record<
      AccountKind,
      ReturnType<typeof Type.Integer>
    >,
    { description },
  );

const anId = (prefix: string) =>
  Type.String({
    pattern: `^${prefix}_[0-9A-Za-z_-]{1,60}$`,
    'x-refusal': `must be an id that begins with ${prefix}_`,
  });
const { verification: _given, ...intakeSettings } = CreateIntake.properties;

/** An intake without its address and its secrets. */
const FileIntake = Type.Object({
  id: anId('in'),
  ...intakeSettings,
  verification: Intake.properties.verification,
  paused: Type.Boolean(),
});
const FileWebhook = Type.Object({ id: anId('wh'), ...SaveWebhook.properties });
const { intake: _intake, ...taskFields } = Task.properties;
const FileTask = Type.Object({
  ...taskFields,
  intake: Type.Optional(Type.Object(TaskIntake.properties)),
  id: anId('task'),
  // Older servers took texts in which nothing is seen: such a task gets another one.
  content: Type.String({ pattern: '\\S', 'x-refusal': 'Message is required' }),
  source: Type.String({ minLength: 1, maxLength: 50 }),
  version: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  occurrences: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
  reopens: Type.Boolean(),
});
export type FileTask = Static<typeof FileTask>;
export type FileIntake = Static<typeof FileIntake>;
export type FileWebhook = Static<typeof FileWebhook>;

const accountFile = {
  qinbox: oneOf(['account']),
  version: Type.Integer({ minimum: 1, description: `The version of the format: ${ACCOUNT_FILE_VERSION}.` }),
  exportedAt: IsoTime,
  notIncluded: Type.Array(Type.String(), { description: 'What must be made again, and why.' }),
  profile: Type.Object({
    email: Type.String(),
    name: Type.String(),
    avatar_url: nullable(Type.String()),
    created_at: IsoTime,
  }),
  views: Type.Array(Type.Object(View.properties), { maxItems: 1000 }),
  pushRules: nullable(Type.Object(PushRules.properties), {
    description: 'With the quiet hours. Null: as they are without a choice.',
  }),
  digest: nullable(Digest),
  escalations: Type.Array(Type.Object(Escalation.properties), { maxItems: 1000 }),
  keys: Type.Array(Type.Object(ApiKey.properties), {
    maxItems: 1000,
    description: 'Their names and scopes; never a key.',
  }),
  webhooks: Type.Array(FileWebhook, { maxItems: 1000, description: 'Without their secrets.' }),
  intakes: Type.Array(FileIntake, { maxItems: 1000, description: 'Without their addresses and secrets.' }),
  tasks: Type.Array(FileTask, { description: 'All that are live: pinned and snoozed ones, too.' }),
  counts: numbers('How many of each there are: the end of the file, by which one that was cut off is known.'),
};

/** The file of an account with nothing in it but a view. */
const SMALL_FILE = {
  qinbox: 'account',
  version: ACCOUNT_FILE_VERSION,
  exportedAt: '2026-11-21T09:00:00.000Z',
  notIncluded: [],
  profile: {
    email: 'me@example.com',
    name: 'Me',
    avatar_url: null,
    created_at: '2026-11-21T09:00:00.000Z',
  },
  views: [{ id: 'view_production', name: 'Production', key: null, query: 'q=%23ops&order=priority' }],
  pushRules: null,
  digest: null,
  escalations: [],
  keys: [],
  webhooks: [],
  intakes: [],
  tasks: [],
  counts: { ...Object.fromEntries(ACCOUNT_KINDS.map((name) => [name, 0])), views: 1 },
};

/** All of an account that can be moved, without a secret. */
export const AccountFile = Type.Object(accountFile, { $id: 'AccountFile', examples: [SMALL_FILE] });
export type AccountFile = Static<typeof AccountFile>;

/** What became of a file, or what would become of it. */
export const AccountImport = shape('AccountImport', {
  dryRun: Type.Boolean({ description: 'Nothing was changed: this is what would be done.' }),
  taken: numbers('What was taken in.'),
  there: numbers('What was there already, and stayed as it is.'),
  leftOut: numbers('What was left out.'),
  reasons: Type.Array(
    Type.Object({ kind, name: Type.String(), count: Type.Integer(), reason: Type.String() }),
    { description: 'Why it was left out; the first 200.' },
  ),
  toDo: Type.Array(Type.Object({ kind, name: Type.String(), what: Type.String() }), {
    description: 'What is yours to do before it works as before; the first 200.',
  }),
});
export type AccountImport = Static<typeof AccountImport>;

/** What is stored of an account, and what stands in the way of its deletion. */
export const AccountOverview = shape('AccountOverview', {
  email: Type.String(),
  counts: numbers('What an export has; keys are only named in it.'),
  devices: Type.Integer({ description: 'That pushes are sent to.' }),
  obstacle: nullable(oneOf(['guest-queue', 'last-administrator']), {
    description:
      'guest-queue: guests read the queue of this account. last-administrator: name another one in `administrator`.',
  }),
});
export type AccountOverview = Static<typeof AccountOverview>;

export const accountRoutes = {
  overview: route('GET', '/account', 'session', {
    operationId: 'readAccount',
    summary: 'How much is stored of the own account',
    response: { 200: Type.Object({ success, account: refTo(AccountOverview) }) },
  }),
  export: route('GET', '/account/export', 'session', {
    answersMuch: true,
    operationId: 'exportAccount',
    summary: 'All of the own account as a file, without secrets',
    description:
      'For backup and moving. One at a time; a second one is refused with 409. A file that was cut off has no `counts`, and is refused by the import.',
    response: { 200: refTo(AccountFile), ...errors(409) },
    answerHeaders: {
      200: { 'Content-Disposition': { type: 'string', description: 'A name for the file.' } },
    },
  }),
  import: route('POST', '/account/import', 'session', {
    answersMuch: true,
    operationId: 'importAccount',
    summary: 'Take in such a file, of this server or another',
    description:
      `At most ${MAX_ACCOUNT_FILE_BYTES / 1024 / 1024} MiB. Nothing that is there is changed, so that a second time changes nothing. ` +
      'The file is checked as a whole first: one fault refuses all of it. If the store fails in the middle, what was taken in stays, and the same file again completes it. ' +
      'Intakes get new addresses, and wait, paused, for new secrets; webhooks are switched off until they have a new one. Nobody is told of the tasks.',
    querystring: Type.Object({
      dryRun: Type.Optional(Type.Boolean({ description: 'Only says what would be done. Default: false.' })),
    }),
    body: AccountFile,
    response: {
      200: Type.Object({ success, import: refTo(AccountImport) }),
      ...errors(400, 409, 413, 415),
    },
  }),
  delete: route('DELETE', '/account', 'session', {
    operationId: 'deleteAccount',
    summary: 'Delete the own account with all that is stored of it',
    description:
      'Sessions, keys, intakes and webhooks end at once, in every process. All that is stored is removed within two minutes, also where the server stops in between. ' +
      '409 for the last administrator who names no other, and for the owner of the public queue.',
    body: Type.Object(
      {
        confirm: Type.String({
          minLength: 1,
          maxLength: 254,
          description: 'The e-mail address of this account, typed again.',
        }),
        administrator: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 254,
            description: 'The e-mail address of another user, who becomes an administrator first.',
          }),
        ),
      },
      { $id: 'DeleteAccount', additionalProperties: false },
    ),
    response: { 200: Type.Object({ success }), ...errors(400, 409, 413, 415) },
  }),
};
