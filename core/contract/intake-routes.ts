// Every call on intakes, and the address that deliveries come to.
import { Type } from 'typebox';
import { errors, id, refTo, routesTagged, success } from './common.ts';
import {
  CreateIntake,
  Delivery,
  DeliveryRequest,
  Dispatched,
  EditIntake,
  Intake,
  IntakeKindInfo,
  Preview,
  PreviewInput,
} from './intakes.ts';
import { MAX_INTAKES, MAX_ROTATION_GRACE_MINUTES } from './limits.ts';

const route = routesTagged('Intakes');
const deliveryOf = Type.Object({ ...id.properties, deliveryId: id.properties.id });
const one = Type.Object({ success, intake: refTo(Intake) });

export const intakeRoutes = {
  kinds: route('GET', '/intakes/adapters', 'authenticated', {
    operationId: 'listIntakeKinds',
    summary: 'List what intakes can be made, with the forms for them',
    response: { 200: Type.Object({ success, adapters: Type.Array(refTo(IntakeKindInfo)) }) },
  }),
  list: route('GET', '/intakes', 'write', {
    answersMuch: true,
    operationId: 'listIntakes',
    summary: 'List your intakes, newest first',
    response: { 200: Type.Object({ success, intakes: Type.Array(refTo(Intake)) }) },
  }),
  create: route('POST', '/intakes', 'session', {
    operationId: 'createIntake',
    summary: 'Make an address for one sender',
    description:
      `At most ${MAX_INTAKES}. Secrets are kept encrypted and never shown again. ` +
      'Where the adapter has schemes, `verification` must be given: with a scheme and its secret, with the secret alone where the preset has a signed scheme, or with the scheme `none`.',
    body: CreateIntake,
    response: { 201: one, ...errors(400, 409, 413, 415) },
  }),
  get: route('GET', '/intakes/:id', 'write', {
    operationId: 'getIntake',
    summary: 'Get an intake',
    params: id,
    response: { 200: one, ...errors(400, 404) },
  }),
  edit: route('PATCH', '/intakes/:id', 'session', {
    operationId: 'editIntake',
    summary: 'Change, pause or resume an intake',
    description:
      'What is left out stays. `verification` replaces scheme and options; a secret that it leaves out is kept while the scheme stays the same. ' +
      'A secret that is replaced stays good for `secretGraceMinutes`; when it has become known, say 0.',
    params: id,
    body: EditIntake,
    response: { 200: one, ...errors(400, 404, 409, 413, 415) },
  }),
  revoke: route('DELETE', '/intakes/:id', 'session', {
    operationId: 'revokeIntake',
    summary: 'Revoke an intake; its address is unknown from then on',
    params: id,
    response: { 200: Type.Object({ success }), ...errors(400, 404) },
  }),
  rotate: route('POST', '/intakes/:id/rotate', 'session', {
    operationId: 'rotateIntake',
    summary: 'Give an intake a new address; the old one stays good for a while',
    params: id,
    body: Type.Object({
      graceMinutes: Type.Integer({
        minimum: 0,
        maximum: MAX_ROTATION_GRACE_MINUTES,
        description:
          'How long the old address stays good. 0 ends it at once. Of the former addresses the latest 10 do.',
      }),
    }),
    response: { 200: one, ...errors(400, 404, 413, 415) },
  }),
  test: route('POST', '/intakes/:id/test', 'session', {
    operationId: 'testIntake',
    summary: 'Deliver a sample of what this sender sends',
    description: 'Makes a real task, read as a delivery would be.',
    params: id,
    response: { 201: Type.Object({ success, delivery: refTo(Dispatched) }), ...errors(400, 404) },
  }),
  preview: route('POST', '/intakes/:id/preview', 'session', {
    answersMuch: true,
    operationId: 'previewIntake',
    summary: 'Read a payload without storing anything',
    description:
      'With the payload given, the delivery named, or else the last delivery or a sample. `preset` and `mapping` are tried instead of those of the intake.',
    params: id,
    body: PreviewInput,
    response: {
      200: Type.Object({ success, preview: refTo(Preview) }),
      ...errors(400, 404, 413, 415),
    },
  }),
  deliveries: route('GET', '/intakes/:id/deliveries', 'read-write', {
    answersMuch: true,
    operationId: 'listDeliveries',
    summary: 'List the last 50 deliveries to an intake',
    params: id,
    response: {
      200: Type.Object({ success, deliveries: Type.Array(refTo(Delivery)) }),
      ...errors(400, 404),
    },
  }),
  delivery: route('GET', '/intakes/:id/deliveries/:deliveryId', 'read-write', {
    answersMuch: true,
    operationId: 'getDelivery',
    summary: 'Get a delivery with what it carried',
    params: deliveryOf,
    response: {
      200: Type.Object({
        success,
        delivery: refTo(Delivery),
        request: Type.Union([DeliveryRequest, Type.Null()]),
      }),
      ...errors(400, 404),
    },
  }),
  replay: route('POST', '/intakes/:id/deliveries/:deliveryId/replay', 'session', {
    operationId: 'replayDelivery',
    summary: 'Read a delivery again, with the mapping of now',
    description:
      'Adds a delivery of its own. The same delivery replayed twice with the same mapping is a duplicate.',
    params: deliveryOf,
    response: {
      201: Type.Object({ success, delivery: refTo(Dispatched) }),
      ...errors(400, 404, 409),
    },
  }),
};
