// What is wrong with a request is said in words that name the field.
import { expect, it } from 'vitest';
import { Type } from 'typebox';
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
