// What is wrong with a request is said in words that name the field.
import { expect, it } from 'vitest';
import { Type } from 'typebox';
import { nullable, TimeToCome } from '#core/contract/common.ts';
import { toDetails } from './issues.ts';
import { validatorOf } from './validation.ts';

it('names each field that is not known, once', () => {
  const step = Type.Object({ kind: Type.String() }, { additionalProperties: false });
  const schema = Type.Object({ steps: Type.Array(step) }, { additionalProperties: false });
  const given = { steps: [{ kind: 'mail', way: 'mail', when: 5 }], pause: true };
  const details = toDetails(validatorOf(schema).Errors(given), schema);
  expect(details.toSorted((a, b) => (a.field < b.field ? -1 : 1))).toEqual([
    { field: 'pause', message: 'is not a known field' },
    { field: 'steps/0/way', message: 'is not a known field' },
    { field: 'steps/0/when', message: 'is not a known field' },
  ]);
});

it.each(['2026-12-01T09:00:00', '2026-11-31T09:00:00Z', 'soon'])('says of %j what a time must be', (time) => {
  const schema = Type.Object({ ends: TimeToCome, begins: nullable(TimeToCome) });
  expect(toDetails(validatorOf(schema).Errors({ ends: time, begins: time }), schema)).toEqual([
    { field: 'ends', message: 'must be a time with its zone, such as 2026-11-21T09:00:00Z' },
    { field: 'begins', message: 'must be a time with its zone, such as 2026-11-21T09:00:00Z' },
  ]);
});
