import { Liquid } from 'liquidjs';
import { expect, test } from 'vitest';
import { insertAt, payloadOf, spellPath, type Path } from './paths.ts';

const PAYLOAD = {
  service: 'backup',
  'job name': 'nightly',
  payload: 'a field of that name',
  alerts: [{ labels: { 'alert-name': 'disk', 'an "odd" one': 'yes' } }],
};

test.each<[Path, string]>([
  [['service'], 'backup'],
  [['job name'], 'nightly'],
  [['payload'], 'a field of that name'],
  [['alerts', 0, 'labels', 'alert-name'], 'disk'],
  [['alerts', 0, 'labels', 'an "odd" one'], 'yes'],
])('the name of %j is one by which a template finds the value', async (path, value) => {
  const rendered: unknown = await new Liquid().parseAndRender(`{{ ${spellPath(path)} }}`, {
    ...PAYLOAD,
    payload: PAYLOAD,
  });
  expect(rendered).toBe(value);
});

test('values of a list and of headers are found below their root', () => {
  expect(spellPath([0, 'id'])).toBe('payload[0].id');
  expect(spellPath(['x-github-event'], 'headers')).toBe('headers.x-github-event');
});

test('a payload is read as templates see it', () => {
  expect(payloadOf('{"a":1}', 'application/json')).toEqual({ a: 1 });
  expect(payloadOf('a=1&b=two+words', 'application/x-www-form-urlencoded')).toEqual({
    a: '1',
    b: 'two words',
  });
  expect(payloadOf('plain', 'text/plain')).toBe('plain');
});

test('what is inserted replaces what was selected, and the cursor stands after it', () => {
  expect(insertAt('a XX b', '{{ c }}', [2, 4])).toEqual({ text: 'a {{ c }} b', cursor: 9 });
});
