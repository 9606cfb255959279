// Intakes as the API shows them: addresses that owners make for senders, what was delivered to them, and
// every call on them.
import { Type, type Static } from 'typebox';
import { IsoTime, nonBlank, nullable, oneOf, shape } from './common.ts';
import {
  DEFAULT_SECRET_GRACE_MINUTES,
  MAX_BATCH_ITEMS,
  MAX_EXPIRY_MINUTES,
  MAX_ROTATION_GRACE_MINUTES,
  MAX_TAG_CHARACTERS,
  MAX_TAGS,
  MAX_TEMPLATE_CHARACTERS,
} from './limits.ts';
import { Priority } from './tasks.ts';

const addressKind = oneOf(['url', 'email']);
const name = nonBlank('must not be empty', { maxLength: 100, examples: ['GitHub, our repositories'] });
const preset = Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 50 })));
const template = (description: string) => Type.String({ maxLength: MAX_TEMPLATE_CHARACTERS, description });

/** Liquid templates of the owner's own. */
export const IntakeMapping = Type.Object(
  {
    content: nonBlank('must not be empty', {
      maxLength: MAX_TEMPLATE_CHARACTERS,
      description: 'Liquid template of the message; sees the payload.',
      examples: ['{{ service }} is {{ status }}'],
    }),
    priority: Type.Optional(template('Comes out as high, normal or low.')),
    tags: Type.Optional(template('Comes out as tags, separated by commas.')),
    url: Type.Optional(template('Comes out as the address to click.')),
    dedupeKey: Type.Optional(template('What repeats of the same thing have in common.')),
    filter: Type.Optional(template('Comes out as nothing, false, no, 0 or ignore: the delivery is ignored.')),
    resolved: Type.Optional(
      template('Comes out as true, yes or 1: the task with the dedupe key is acknowledged instead.'),
    ),
  },
  { additionalProperties: false },
);
export type IntakeMapping = Static<typeof IntakeMapping>;

/** What tasks have where the sender says nothing; tags are added to the sender's. */
const IntakeDefaults = Type.Object(
  {
    priority: Type.Optional(Priority),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: MAX_TAG_CHARACTERS }), { maxItems: MAX_TAGS })),
    expiryMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_EXPIRY_MINUTES })),
  },
  { additionalProperties: false },
);

const openObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const verificationInput = Type.Object(
  {
    scheme: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description:
          'Left out: as it is, or, of a new intake, the one of its preset. To take in what nobody proves, say `none`.',
      }),
    ),
  },
  {
    additionalProperties: true,
    description: "The scheme's id, its options and its secrets, as the adapter's form lists them.",
  },
);
const events = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 100,
  description: 'Only these event types; `push` also stands for `push.forced`. Empty for all.',
});
const optionalParts = {
  preset,
  verification: Type.Optional(verificationInput),
  mapping: Type.Optional(nullable(IntakeMapping)),
  settings: Type.Optional(openObject("What the adapter's own form asks for.")),
  defaults: Type.Optional(IntakeDefaults),
  events: Type.Optional(events),
  hourlyCap: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 100_000 }))),
};

export const CreateIntake = Type.Object(
  {
    name,
    adapter: Type.String({ minLength: 1, maxLength: 50, examples: ['webhook', 'smtp'] }),
    ...optionalParts,
    reopens: Type.Optional(
      Type.Boolean({ description: 'Whether a repeat of an acknowledged task comes back. Default: true.' }),
    ),
  },
  {
    $id: 'CreateIntake',
    additionalProperties: false,
    examples: [
      {
        name: 'GitHub, our repositories',
        adapter: 'webhook',
        preset: 'github',
        verification: { scheme: 'github', secret: 'a long random text' },
      },
    ],
  },
);
export type CreateIntake = Static<typeof CreateIntake>;

/**
 * What is left out stays. `verification` replaces scheme and options; a secret that it leaves out is kept
 * while the scheme stays.
 */
export const EditIntake = Type.Object(
  {
    name: Type.Optional(name),
    ...optionalParts,
    reopens: Type.Optional(Type.Boolean()),
    paused: Type.Optional(Type.Boolean()),
    secretGraceMinutes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_ROTATION_GRACE_MINUTES,
        description: `How long a secret that is replaced stays good beside the new one. 0 ends it at once, as when it has become known; also without a new secret. Default: ${DEFAULT_SECRET_GRACE_MINUTES} (24 hours).`,
      }),
    ),
  },
  { $id: 'EditIntake', minProperties: 1, additionalProperties: false },
);
export type EditIntake = Static<typeof EditIntake>;

export const Intake = shape('Intake', {
  id: Type.String(),
  name: Type.String(),
  adapter: Type.String(),
  address: Type.String({ description: 'The whole URL or mail address. Everybody who has it can send.' }),
  otherAddresses: Type.Array(
    Type.Object({
      title: Type.String(),
      address: Type.String(),
      key: nullable(Type.String()),
      apps: nullable(Type.String({ description: 'How the apps of that hub are set up to show the queue.' })),
    }),
    { description: "What to paste into tools that speak another hub's protocol (docs/senders.md)." },
  ),
  addressKind,
  previousAddressUntil: nullable(IsoTime),
  previousSecretUntil: nullable(IsoTime),
  preset: nullable(Type.String()),
  verification: Type.Object({
    scheme: Type.String(),
    options: openObject("The scheme's options; never a secret."),
    secrets: Type.Array(Type.String(), { description: 'Names of the secrets that are kept.' }),
  }),
  mapping: nullable(IntakeMapping),
  settings: openObject("The adapter's own settings."),
  defaults: IntakeDefaults,
  events: Type.Array(Type.String()),
  reopens: Type.Boolean(),
  hourlyCap: nullable(Type.Integer()),
  paused: Type.Boolean(),
  created_at: IsoTime,
  updated_at: IsoTime,
  last_used_at: nullable(IsoTime),
});
export type Intake = Static<typeof Intake>;

/** A flat JSON schema that a form is made of. */
const form = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'JSON Schema of a flat object: title, description, default and enum of each field; `secret: true` marks secrets.',
});

/** One kind of intake: all that a form for it needs. */
export const IntakeKindInfo = shape('IntakeKind', {
  id: Type.String(),
  title: Type.String(),
  addressKind,
  takesMapping: Type.Boolean(),
  schemes: Type.Array(
    Type.Object({ id: Type.String(), title: Type.String(), description: Type.String(), fields: form }),
  ),
  presets: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      description: Type.String(),
      scheme: Type.String(),
      options: Type.Optional(openObject("What of the scheme's options this sender does its own way.")),
      setup: Type.String(),
      events: Type.Array(Type.String()),
    }),
  ),
  settings: nullable(form),
});
export type IntakeKindInfo = Static<typeof IntakeKindInfo>;

const verdict = oneOf(['accepted', 'duplicate', 'ignored', 'refused', 'failed'], {
  description:
    'accepted: tasks were made, repeated or closed. duplicate: it came before. ignored: nothing to do. refused: not proven, paused or too many. failed: its mapping or payload could not be read; a summary was made instead where that was possible.',
});

export const Delivery = shape('Delivery', {
  id: Type.String(),
  at: IsoTime,
  verdict,
  reason: nullable(Type.String()),
  event: nullable(Type.String()),
  taskIds: Type.Array(Type.String(), { maxItems: MAX_BATCH_ITEMS }),
  notes: Type.Record(Type.String(), Type.String()),
  canReplay: Type.Boolean(),
});
export type Delivery = Static<typeof Delivery>;

/** What a delivery carried, as it was kept. Text from outside: show it as text. */
export const DeliveryRequest = Type.Object({
  headers: Type.Record(Type.String(), Type.String()),
  contentType: Type.String(),
  body: Type.String(),
  encoding: oneOf(['text', 'base64']),
  clipped: Type.Boolean({ description: 'Whether the body was longer than what is kept.' }),
});
export type DeliveryRequest = Static<typeof DeliveryRequest>;

/** A payload to try; the last delivery, or the sender's usual one, when nothing is given. */
export const PreviewInput = Type.Object(
  {
    payload: Type.Optional(Type.Unknown({ description: 'JSON, or a text with `contentType`.' })),
    contentType: Type.Optional(Type.String({ maxLength: 200 })),
    headers: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 1000 }))),
    deliveryId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    preset,
    mapping: Type.Optional(nullable(IntakeMapping)),
  },
  { $id: 'IntakePreviewInput', additionalProperties: false },
);
export type PreviewInput = Static<typeof PreviewInput>;

export const Preview = shape('IntakePreview', {
  tasks: Type.Array(
    Type.Object({
      content: Type.String(),
      priority: Priority,
      tags: Type.Array(Type.String()),
      expiryMinutes: Type.Integer(),
      metadata: Type.Record(Type.String(), Type.Unknown()),
      dedupeKey: nullable(Type.String()),
    }),
  ),
  closes: Type.Array(Type.String()),
  event: nullable(Type.String()),
  ignored: nullable(Type.String({ description: 'Why nothing would be done.' })),
  failed: nullable(Type.String({ description: 'What went wrong, when tasks are only a summary.' })),
  source: oneOf(['given', 'delivery', 'sample'], { description: 'What was read.' }),
  request: DeliveryRequest,
});
export type Preview = Static<typeof Preview>;

/** What became of a test or a replay. */
export const Dispatched = Type.Object(
  { verdict, reason: nullable(Type.String()), deliveryId: Type.String(), taskIds: Type.Array(Type.String()) },
  { $id: 'Dispatched' },
);
export type Dispatched = Static<typeof Dispatched>;
