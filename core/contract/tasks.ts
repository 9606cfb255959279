// A task as the API shows it, and what is sent to make, change or look for one. The calls themselves:
// task-routes.ts.
import { Type, type Static } from 'typebox';
import { IsoTime, TimeToCome, nonBlank, nullable, oneOf, refTo, shape } from './common.ts';
import {
  DEFAULT_EXPIRY_MINUTES,
  DEFAULT_PAGE_LIMIT,
  MAX_CONTENT_CHARACTERS,
  MAX_EXPIRY_MINUTES,
  MAX_KEY_CHARACTERS,
  MAX_PAGE_LIMIT,
  MAX_TAG_CHARACTERS,
  MAX_TAG_FILTERS,
  MAX_TAGS,
} from './limits.ts';

export const Priority = oneOf(['high', 'normal', 'low']);
export type Priority = Static<typeof Priority>;

/** The intake that a task came through, as it was named then. */
export const TaskIntake = shape('TaskIntake', {
  id: Type.String(),
  name: Type.String(),
  deliveryId: Type.String({ description: 'The latest delivery that reported it.' }),
});
export type TaskIntake = Static<typeof TaskIntake>;

/** A task as the API answers it. `version` is 1, then one more at each change; clients reconcile by it. */
export const Task = shape('Task', {
  id: Type.String({ examples: ['task_0W9xkzQm00a7Gd2kPq81Zs'] }),
  content: Type.String({ description: 'The message, 1 to 10,000 characters.' }),
  priority: Priority,
  source: Type.String({
    description: 'Where it came from: api, web, email, webhook, integration, slack, manual.',
  }),
  createdAt: IsoTime,
  updatedAt: IsoTime,
  expiresAt: IsoTime,
  snoozedUntil: nullable(IsoTime, {
    description: 'Hidden from the list until then; in the past, when it came back. Null for others.',
  }),
  pinned: Type.Boolean({ description: 'A pinned task stays beyond `expiresAt` until it is acknowledged.' }),
  metadata: Type.Record(Type.String(), Type.Unknown()),
  tags: Type.Array(Type.String()),
  version: Type.Integer({ minimum: 1 }),
  occurrences: Type.Integer({ minimum: 1, description: 'How often it was reported under its dedupe key.' }),
  lastOccurredAt: IsoTime,
  dedupeKey: Type.Optional(Type.String()),
  intake: Type.Optional(refTo(TaskIntake)),
});
export type Task = Static<typeof Task>;

/** All that a caller who may not read is told of a task that it wrote to, unless it has just made it. */
export const TaskReceipt = Type.Object(
  {
    id: Type.String(),
    version: Type.Integer({ minimum: 1 }),
    occurrences: Type.Integer({ minimum: 1 }),
  },
  {
    $id: 'TaskReceipt',
    additionalProperties: false,
    description: 'What an API key without the scope `read` is told of a task that was there before.',
  },
);
export type TaskReceipt = Static<typeof TaskReceipt>;

/** Counts over the whole live queue, whatever the page or the filter. Snoozed tasks count apart. */
export const Statistics = shape('Statistics', {
  total: Type.Integer(),
  high: Type.Integer(),
  normal: Type.Integer(),
  low: Type.Integer(),
  pinned: Type.Integer(),
  snoozed: Type.Integer({ description: 'How many are hidden until later; none of the others counts them.' }),
});
export type Statistics = Static<typeof Statistics>;

export const Pagination = shape('Pagination', {
  limit: Type.Integer(),
  offset: Type.Integer(),
  total: Type.Integer({ description: 'How many tasks match the filter.' }),
  returned: Type.Integer({
    description: 'How many came: fewer than `limit` at the end of the list, and when the tasks are large.',
  }),
});
export type Pagination = Static<typeof Pagination>;

// Lengths of content, tags and metadata are checked after trimming by the domain, which names the field as
// well.
const content = nonBlank('Message is required', {
  description: `The message. Trimmed; 1 to ${MAX_CONTENT_CHARACTERS} characters, not all of them invisible.`,
  examples: ['backup failed'],
});
const tags = Type.Array(Type.String(), {
  description: `Trimmed; empty and repeated ones are dropped; at most ${MAX_TAGS}, each at most ${MAX_TAG_CHARACTERS} characters.`,
});

export const CreateTask = shape('CreateTask', {
  content,
  priority: Type.Optional(Type.Unsafe<Priority>({ ...Priority, description: 'Default: normal.' })),
  source: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,49}$',
      'x-refusal':
        'must be 1 to 50 letters from a to z, digits, spaces, dots, underscores and hyphens, and begin with a letter or a digit',
      description: 'api (default), web, email, webhook, integration, slack, manual, or a name of your own.',
    }),
  ),
  expiryMinutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_EXPIRY_MINUTES,
      description: `Lifetime in minutes. Default: ${DEFAULT_EXPIRY_MINUTES} (24 hours).`,
    }),
  ),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'A JSON object of at most 16 KiB.' }),
  ),
  tags: Type.Optional(tags),
  pinned: Type.Optional(
    Type.Boolean({
      description: 'Default: false. A pinned task stays beyond its lifetime until it is acknowledged.',
    }),
  ),
  dedupeKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_KEY_CHARACTERS,
      description:
        'While a live task has this key, a repeat raises its `occurrences` and renews its `expiresAt` instead of making another task.',
    }),
  ),
});
export type CreateTask = Static<typeof CreateTask>;

export const EditTask = Type.Object(
  { content: Type.Optional(content), priority: Type.Optional(Priority), tags: Type.Optional(tags) },
  { $id: 'EditTask', minProperties: 1 },
);
export type EditTask = Static<typeof EditTask>;

const boolean = (description: string) => Type.Boolean({ description });

/**
 * The order of a list, after pinned tasks, which come first in each. Equal tasks are newest first.
 * `priority`: high first. `expiry`: what is over soonest first. `source`, `intake`, `tag` (the first one): by
 * name, ignoring the case of A to Z; tasks without one come last. Exactly: `compareInOrder`.
 */
export const TaskOrder = oneOf(['newest', 'priority', 'expiry', 'source', 'intake', 'tag']);
export type TaskOrder = Static<typeof TaskOrder>;

const tagFilter = Type.String({ minLength: 1, maxLength: MAX_TAG_CHARACTERS });

const filters = {
  priority: Type.Optional(Priority),
  source: Type.Optional(Type.String({ maxLength: 50 })),
  tag: Type.Optional(
    Type.Union([tagFilter, Type.Array(tagFilter, { minItems: 1, maxItems: MAX_TAG_FILTERS })], {
      description: `A tag that the tasks have; given several times (at most ${MAX_TAG_FILTERS}), all of them.`,
    }),
  ),
  intake: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The id of the intake that the tasks came through, or its name, ignoring the case of A to Z.',
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Text that content, tags, source, sender (`metadata.from`), body (`metadata.body`) or the name of the intake contain, ' +
        'ignoring case where both forms of a letter are one character each.',
    }),
  ),
};

/** A value that tasks of the queue have, and how many of them. */
const Facet = Type.Object({ value: Type.String(), count: Type.Integer({ minimum: 1 }) });

/** What the live queue can be filtered by: the most frequent first, at most 100 of each. */
export const Facets = shape('Facets', {
  sources: Type.Array(Facet),
  tags: Type.Array(Facet),
  intakes: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), count: Type.Integer({ minimum: 1 }) }),
  ),
});
export type Facets = Static<typeof Facets>;

/** Checked by the domain, which names the field in its own words. */
const WakeTime = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description:
    'Hides the task until then (date and time with an offset, RFC 3339): in the future, at most 7 days from now. It has as long left then as now, and one hour at least. Null wakes it.',
  examples: [null],
});

export const SnoozeTask = Type.Object(
  {
    until: Type.Optional(WakeTime),
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_EXPIRY_MINUTES,
        description: 'Instead of `until`: for how long, from now.',
      }),
    ),
  },
  { $id: 'SnoozeTask', minProperties: 1, examples: [{ minutes: 180 }] },
);
export type SnoozeTask = Static<typeof SnoozeTask>;

/** Changes to one task of several. What is left out stays as it is. */
export const ChangeTask = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 100 }),
    content: Type.Optional(content),
    priority: Type.Optional(Priority),
    tags: Type.Optional(tags),
    pinned: Type.Optional(Type.Boolean()),
    snoozedUntil: Type.Optional(WakeTime),
    expiresAt: Type.Optional(
      Type.Unsafe<string>({
        ...TimeToCome,
        description:
          'When its time is up: in the future, at most 7 days from now. One whose time is up when it is unpinned gets one more hour.',
      }),
    ),
  },
  { minProperties: 2 },
);
export type ChangeTask = Static<typeof ChangeTask>;

export const TaskListQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE_LIMIT, description: `Default: ${DEFAULT_PAGE_LIMIT}.` }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Default: 0.' })),
  include_pinned: Type.Optional(boolean('Default: true. `false` leaves pinned tasks out.')),
  pinned: Type.Optional(boolean('Only pinned tasks, or only those that are not.')),
  snoozed: Type.Optional(
    boolean(
      'Default: false. `true` lists the snoozed tasks alone: the first to wake first, pinned or not, unless another `order` is given. It is a search.',
    ),
  ),
  order: Type.Optional(
    Type.Unsafe<TaskOrder>({
      ...TaskOrder,
      description: 'Pinned tasks come first in each. Default: newest. Any other is a search.',
    }),
  ),
  ...filters,
});
export type TaskListQuery = Static<typeof TaskListQuery>;
