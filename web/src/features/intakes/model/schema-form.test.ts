import { describe, expect, test } from 'vitest';
import { errorAt, type FieldErrors } from './field-errors.ts';
import { fieldsOf, startValues, toPayload } from './schema-form.ts';

const FORM = {
  type: 'object',
  required: ['secret', 'mode'],
  properties: {
    secret: { type: 'string', title: 'Secret', secret: true },
    spareSecret: { type: 'string', secret: true },
    mode: { enum: ['a', 'b'] },
    style: { anyOf: [{ const: 'x' }, { const: 'y' }] },
    header: { type: 'string', default: 'X-Sig', maxLength: 9 },
    note: { type: 'string' },
    seconds: { type: 'integer', minimum: 1 },
    strict: { type: 'boolean', default: true },
    senders: { type: 'array', items: { type: 'string' }, default: [] },
  },
};

describe('a form made of a schema', () => {
  const fields = fieldsOf(FORM);

  test('has a field of the right kind for each property, named as it is or by its own name in words', () => {
    expect(fields.map(({ title, kind }) => [title, kind])).toEqual([
      ['Secret', 'secret'],
      ['Spare secret', 'secret'],
      ['Mode', 'choice'],
      ['Style', 'choice'],
      ['Header', 'text'],
      ['Note', 'text'],
      ['Seconds', 'number'],
      ['Strict', 'switch'],
      ['Senders', 'lines'],
    ]);
    expect(fieldsOf(null)).toEqual([]);
    expect(fieldsOf({ type: 'object' })).toEqual([]);
  });

  test('starts with what is known, else with the defaults, and never with a secret', () => {
    expect(startValues(fields, { secret: 'never', mode: 'b', seconds: 5, senders: ['me@a'] })).toEqual({
      secret: '',
      spareSecret: '',
      mode: 'b',
      style: '',
      header: 'X-Sig',
      note: '',
      seconds: 5,
      strict: true,
      senders: ['me@a'],
    });
  });

  test('sends what was filled in: an untouched secret stays, a removed one goes, blank lines are nothing', () => {
    const values = startValues(fields);
    expect(toPayload(fields, values)).toEqual({ mode: 'a', header: 'X-Sig', strict: true, senders: [] });
    const filled = {
      ...values,
      secret: ' s ',
      header: '',
      note: ' hi ',
      seconds: '7',
      strict: false,
      senders: [' me@a ', '', '@b'],
    };
    expect(toPayload(fields, filled, new Set(['spareSecret']))).toEqual({
      secret: ' s ',
      spareSecret: '',
      mode: 'a',
      header: '',
      note: 'hi',
      seconds: 7,
      strict: false,
      senders: ['me@a', '@b'],
    });
  });
});

test('what the server finds wrong is told at the field that it belongs to, and in which line of it', () => {
  const faults: FieldErrors = {
    problem: { message: '' },
    byField: new Map([
      ['verification/secret', 'Must not be empty.'],
      ['settings/senders/2', 'Must be an address.'],
    ]),
  };
  expect(errorAt(faults, 'verification/secret')).toBe('Must not be empty.');
  expect(errorAt(faults, 'settings/senders')).toBe('Number 3: Must be an address.');
  expect(errorAt(faults, 'settings/sender')).toBeUndefined();
  expect(errorAt(null, 'name')).toBeUndefined();
});
