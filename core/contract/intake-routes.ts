// Every call on intakes, and the address that deliveries come to.
import { Type } from 'typebox';
import { defineRoute, errors, refTo } from './common.ts';
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

const success = Type.Literal(true);
const tags = ['Intakes'];
const text = Type.String({ minLength: 1, maxLength: 100 });
const id = Type.Object({ id: text });
const deliveryOf = Type.Object({ id: text, deliveryId: text });
const one = Type.Object({ success, intake: refTo(Intake) });

export const intakeRoutes = {
  kinds: defineRoute({
    method: 'GET',
    path: '/intakes/adapters',
    access: 'authenticated',
    schema: {
      operationId: 'listIntakeKinds',
      summary: 'List what intakes can be made, with the forms for them',
      tags,
      response: { 200: Type.Object({ success, adapters: Type.Array(refTo(IntakeKindInfo)) }) },
    },
  }),
  list: defineRoute({
    method: 'GET',
    path: '/intakes',
    access: 'write',
    answersMuch: true,
    schema: {
      operationId: 'listIntakes',
      summary: 'List your intakes, newest first',
      tags,
      response: { 200: Type.Object({ success, intakes: Type.Array(refTo(Intake)) }) },
    },
  }),
  create: defineRoute({
    method: 'POST',
    path: '/intakes',
    access: 'session',
    schema: {
      operationId: 'createIntake',
      summary: 'Make an address for one sender',
      description:
        `At most ${MAX_INTAKES}. Secrets are kept encrypted and never shown again. ` +
        'Where the adapter has schemes, `verification` must be given: with a scheme and its secret, with the secret alone where the preset has a signed scheme, or with the scheme `none`.',
      tags,
      body: CreateIntake,
      response: { 201: one, ...errors(400, 409, 413, 415) },
    },
  }),
  get: defineRoute({
    method: 'GET',
    path: '/intakes/:id',
    access: 'write',
    schema: {
      operationId: 'getIntake',
      summary: 'Get an intake',
      tags,
      params: id,
      response: { 200: one, ...errors(400, 404) },
    },
  }),
  edit: defineRoute({
    method: 'PATCH',
    path: '/intakes/:id',
    access: 'session',
    schema: {
      operationId: 'editIntake',
      summary: 'Change, pause or resume an intake',
      description:
        'What is left out stays. `verification` replaces scheme and options; a secret that it leaves out is kept while the scheme stays the same. ' +
        'A secret that is replaced stays good for `secretGraceMinutes`; when it has become known, say 0.',
      tags,
      params: id,
      body: EditIntake,
      response: { 200: one, ...errors(400, 404, 413, 415) },
    },
  }),
  revoke: defineRoute({
    method: 'DELETE',
    path: '/intakes/:id',
    access: 'session',
    schema: {
      operationId: 'revokeIntake',
      summary: 'Revoke an intake; its address is unknown from then on',
      tags,
      params: id,
      response: { 200: Type.Object({ success }), ...errors(400, 404) },
    },
  }),
  rotate: defineRoute({
    method: 'POST',
    path: '/intakes/:id/rotate',
    access: 'session',
    schema: {
      operationId: 'rotateIntake',
      summary: 'Give an intake a new address; the old one stays good for a while',
      tags,
      params: id,
      body: Type.Object({
        graceMinutes: Type.Integer({
          minimum: 0,
          maximum: MAX_ROTATION_GRACE_MINUTES,
          description: 'How long the old address stays good. 0 ends it at once.',
        }),
      }),
      response: { 200: one, ...errors(400, 404, 413, 415) },
    },
  }),
  test: defineRoute({
    method: 'POST',
    path: '/intakes/:id/test',
    access: 'session',
    schema: {
      operationId: 'testIntake',
      summary: 'Deliver a sample of what this sender sends',
      description: 'Makes a real task, read as a delivery would be.',
      tags,
      params: id,
      response: { 201: Type.Object({ success, delivery: refTo(Dispatched) }), ...errors(400, 404) },
    },
  }),
  preview: defineRoute({
    method: 'POST',
    path: '/intakes/:id/preview',
    access: 'session',
    answersMuch: true,
    schema: {
      operationId: 'previewIntake',
      summary: 'Read a payload without storing anything',
      description:
        'With the payload given, the delivery named, or else the last delivery or a sample. `preset` and `mapping` are tried instead of those of the intake.',
      tags,
      params: id,
      body: PreviewInput,
      response: {
        200: Type.Object({ success, preview: refTo(Preview) }),
        ...errors(400, 404, 413, 415),
      },
    },
  }),
  deliveries: defineRoute({
    method: 'GET',
    path: '/intakes/:id/deliveries',
    access: 'read-write',
    answersMuch: true,
    schema: {
      operationId: 'listDeliveries',
      summary: 'List the last 50 deliveries to an intake',
      tags,
      params: id,
      response: {
        200: Type.Object({ success, deliveries: Type.Array(refTo(Delivery)) }),
        ...errors(400, 404),
      },
    },
  }),
  delivery: defineRoute({
    method: 'GET',
    path: '/intakes/:id/deliveries/:deliveryId',
    access: 'read-write',
    answersMuch: true,
    schema: {
      operationId: 'getDelivery',
      summary: 'Get a delivery with what it carried',
      tags,
      params: deliveryOf,
      response: {
        200: Type.Object({
          success,
          delivery: refTo(Delivery),
          request: Type.Union([DeliveryRequest, Type.Null()]),
        }),
        ...errors(400, 404),
      },
    },
  }),
  replay: defineRoute({
    method: 'POST',
    path: '/intakes/:id/deliveries/:deliveryId/replay',
    access: 'session',
    schema: {
      operationId: 'replayDelivery',
      summary: 'Read a delivery again, with the mapping of now',
      description:
        'Adds a delivery of its own. The same delivery replayed twice with the same mapping is a duplicate.',
      tags,
      params: deliveryOf,
      response: {
        201: Type.Object({ success, delivery: refTo(Dispatched) }),
        ...errors(400, 404, 409),
      },
    },
  }),
};
