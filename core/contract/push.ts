// Web Push: the devices of a user, and what is pushed to them and when.
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
import { MAX_PUSH_DEVICES, MAX_PUSH_FILTERS, MAX_TAG_CHARACTERS } from './limits.ts';
import { Priority } from './tasks.ts';

const route = routesTagged('Push');

/** A browser that pushes are sent to. Its endpoint is a secret address: it is never answered. */
export const PushDevice = shape('PushDevice', {
  id: Type.String(),
  name: Type.String(),
  createdAt: IsoTime,
  lastUsedAt: nullable(IsoTime, { description: 'About when a push last left for it.' }),
});
export type PushDevice = Static<typeof PushDevice>;

const base64url = (characters: number, what: string, example: string) =>
  Type.String({
    pattern: `^[A-Za-z0-9_-]{${characters}}=*$`,
    'x-refusal': `must be ${what} in base64url`,
    description: what,
    examples: [example],
  });

/** A subscription as the browser's Push API gives it, with a name for its user. */
export const AddPushDevice = shape('AddPushDevice', {
  endpoint: Type.String({
    pattern: '^https://[^\\s]+$',
    maxLength: 2048,
    'x-refusal': 'must be an address that begins with https://',
    examples: ['https://push.example.com/send/abc'],
  }),
  keys: Type.Object({
    // Those of RFC 8291, appendix A.
    p256dh: base64url(
      87,
      'the public key of the subscription (65 bytes)',
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    ),
    auth: base64url(22, 'the secret of the subscription (16 bytes)', 'BTBZMqHH6r4Tts7J_aSIgg'),
  }),
  name: nonBlank('Please enter a name for the device', { maxLength: 60, examples: ['Firefox on Linux'] }),
});
export type AddPushDevice = Static<typeof AddPushDevice>;

const priorities = (description: string) =>
  Type.Array(Priority, { maxItems: 3, uniqueItems: true, description });
const timeOfDay = (example: string, description?: string) =>
  Type.String({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    'x-refusal': 'must be a time of day such as 22:00',
    examples: [example],
    ...(description === undefined ? {} : { description }),
  });
const filter = (maxLength: number, description: string) =>
  nullable(Type.Array(Type.String({ minLength: 1, maxLength }), { maxItems: MAX_PUSH_FILTERS }), {
    description,
  });

/** Hours of each day, or of some, in which pushes are held. */
const QuietHours = Type.Object({
  from: timeOfDay('22:00'),
  to: timeOfDay('07:00', 'Another time than `from`; of the next day where it is before that.'),
  zone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A time zone of the IANA database.',
    examples: ['Europe/Berlin'],
  }),
  days: Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), {
    minItems: 1,
    maxItems: 7,
    uniqueItems: true,
    description: 'Days of the week on which they begin: 0 is Sunday.',
  }),
  pass: priorities('What is pushed all the same.'),
});
export type QuietHours = Static<typeof QuietHours>;

/** What is pushed to all devices of a user, and when. */
export const PushRules = shape('PushRules', {
  priorities: priorities('Tasks of these are pushed.'),
  intakes: filter(
    100,
    'Only what came through one of these, by their ids. Null: all, and what came another way.',
  ),
  tags: filter(MAX_TAG_CHARACTERS, 'Only what has at least one of these. Null: whatever its tags.'),
  withhold: Type.Boolean({ description: 'Whether a push says only how many tasks are new.' }),
  quiet: nullable(QuietHours),
  doNotDisturbUntil: nullable(IsoTime, { description: 'Nothing is pushed before; at most a year from now.' }),
});
export type PushRules = Static<typeof PushRules>;

const Push = shape('Push', {
  publicKey: Type.String({ description: 'The `applicationServerKey` of subscriptions (VAPID), base64url.' }),
  devices: Type.Array(refTo(PushDevice)),
  rules: refTo(PushRules),
});

export const pushRoutes = {
  get: route('GET', '/push', 'read', {
    operationId: 'getPush',
    summary: 'What a browser subscribes with, the own devices, and what is pushed to them',
    response: { 200: Type.Object({ success, push: refTo(Push) }) },
  }),
  // A device is told of tasks: a key that may not read them must not add one.
  addDevice: route('POST', '/push/devices', 'read-write', {
    operationId: 'addPushDevice',
    summary: 'Push to this browser',
    description:
      `The same endpoint again is the same device: its keys and name are renewed. At most ${MAX_PUSH_DEVICES} devices. ` +
      'A browser is a device of the user who added it last.',
    body: AddPushDevice,
    response: { 201: Type.Object({ success, device: refTo(PushDevice) }), ...errors(400, 409, 413, 415) },
  }),
  removeDevice: route('DELETE', '/push/devices/:id', 'write', {
    operationId: 'removePushDevice',
    summary: 'Push to this browser no longer',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404) },
  }),
  testDevice: route('POST', '/push/devices/:id/test', 'write', {
    operationId: 'testPushDevice',
    summary: 'Send a test to this browser',
    params: id,
    response: { 202: Type.Object({ success }), ...errors(400, 404, 413, 415) },
  }),
  act: route('POST', '/push/actions', 'public', {
    operationId: 'actOnPush',
    summary: 'Do what a button of a notification says',
    description:
      'For the service worker, where no page is open. The token is in the notification, is for this one task, and ends after ' +
      'seven days, or when the device gets no pushes any longer.',
    body: Type.Object({
      token: Type.String({ minLength: 1, maxLength: 1000, description: '`data.token` of the notification.' }),
      action: oneOf(['acknowledge', 'pin']),
    }),
    response: { 200: Type.Object({ success }), ...errors(400, 401, 404, 413, 415) },
  }),
  setRules: route('PUT', '/push/rules', 'write', {
    operationId: 'setPushRules',
    summary: 'Change what is pushed',
    body: PushRules,
    response: { 200: Type.Object({ success, rules: refTo(PushRules) }), ...errors(400, 413, 415) },
  }),
};
