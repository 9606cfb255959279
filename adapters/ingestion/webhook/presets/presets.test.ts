// Every preset on payloads that its sender really sends: what comes out is compared with
// ../fixtures/<preset>.golden.json, one file to read from top to bottom. UPDATE_GOLDENS=1 writes those files
// anew; read the difference before you keep it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveTask, isVisible, newTask, repeatTask, type Task } from '#core/domain/task.ts';
import type { ParsedDelivery } from '#core/domain/delivery.ts';
import type { Payload, Preset } from './preset.ts';
import { presets } from './index.ts';
import { draft } from '#test/helpers/records.ts';

interface Fixture {
  headers: Record<string, string>;
  body: unknown;
}

const folder = new URL('../fixtures/', import.meta.url);
const updates = process.env['UPDATE_GOLDENS'] === '1';

function fixturesOf(preset: Preset): [string, Fixture][] {
  const names = readdirSync(new URL(`${preset.id}/`, folder)).toSorted();
  return names.map((name) => [
    name.replace(/\.json$/, ''),
    JSON.parse(readFileSync(new URL(`${preset.id}/${name}`, folder), 'utf8')) as Fixture,
  ]);
}

function payloadOf({ headers, body }: Fixture): Payload {
  return {
    value: body,
    text: typeof body === 'string' ? body : JSON.stringify(body),
    contentType: headers['content-type'] ?? '',
    headers,
  };
}

/** What no reading may look like, whatever was sent. */
function expectSound(reading: ParsedDelivery | null): void {
  if (reading === null) return;
  expect(reading.tasks.length).toBeLessThanOrEqual(500);
  expect(reading.resolves.length).toBeLessThanOrEqual(500);
  if (reading.ignored !== undefined) expect([reading.tasks, reading.resolves]).toEqual([[], []]);
  else expect(reading.tasks.length + reading.resolves.length).toBeGreaterThan(0);
  for (const key of [...reading.resolves, ...reading.tasks.flatMap((task) => task.dedupeKey ?? [])]) {
    expect(key).not.toBe('');
    expect(key.length).toBeLessThanOrEqual(255);
    expect(key.isWellFormed()).toBe(true);
  }
  for (const task of reading.tasks) {
    expect(task.content.trim()).not.toBe('');
    expect(task.content.length).toBeLessThanOrEqual(10_000);
    expect(task.content.isWellFormed()).toBe(true);
    expect(task.tags?.every((tag) => tag !== '' && tag.length <= 50) ?? true).toBe(true);
    if (task.url !== undefined) expect(task.url).toMatch(/^https?:\/\//i);
    expect(JSON.stringify(task.metadata ?? {}).length).toBeLessThan(64_000);
  }
}

test('the first preset is the one that knows nothing, and ids are unique', () => {
  const ids = presets.map((preset) => preset.id);
  expect(ids[0]).toBe('generic');
  expect(new Set(ids).size).toBe(ids.length);
});

describe.each(presets.map((preset) => [preset.id, preset] as const))('%s', (id, preset) => {
  const fixtures = fixturesOf(preset);
  const file = new URL(`${id}.golden.json`, folder);
  if (updates)
    writeFileSync(
      file,
      `${JSON.stringify(Object.fromEntries(fixtures.map(([name, fixture]) => [name, preset.read(payloadOf(fixture))])), null, 1)}\n`,
    );
  const golden = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};

  test('knows a golden reading for each fixture, and no other', () => {
    expect(Object.keys(golden)).toEqual(fixtures.map(([name]) => name));
  });

  test.each(fixtures)('%s says what happened', (name, fixture) => {
    const reading = preset.read(payloadOf(fixture));
    expect(reading).toEqual(golden[name]);
    expectSound(reading);
    for (const text of [...(reading?.tasks ?? []).map((task) => task.content), reading?.ignored ?? '']) {
      expect(text).not.toMatch(/undefined|\bnull\b|NaN|\[object|[{[]"|\(\)| {2}|[,(] ?$/);
      if (id !== 'slack') expect(text).not.toMatch(/: ?(\n|$)/);
    }
  });

  test('its sample is read as one task', () => {
    const reading = preset.read(
      payloadOf({ headers: { ...preset.sample.headers }, body: preset.sample.body }),
    );
    if (id === 'generic') expect(reading).toBeNull();
    else expect(reading?.tasks).toHaveLength(1);
    expectSound(reading);
  });

  test('reads any JSON in any place without throwing, to sound readings', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...fixtures.map(([, fixture]) => fixture)),
        fc.array(fc.tuple(fc.nat(), odd()), { minLength: 1, maxLength: 4 }),
        (fixture, changes) => {
          const body = changes.reduce(
            (value: unknown, [at, instead]) => replaced(value, at, instead),
            fixture.body,
          );
          expectSound(preset.read(payloadOf({ headers: fixture.headers, body })));
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** Values that readers stumble over. */
function odd(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      'constructor',
      '__proto__',
      'toString',
      '',
      ' \n ',
      '\uD800',
      'x'.repeat(5000),
      '😀'.repeat(3000),
    ),
    fc.constantFrom(
      '<a'.repeat(3000),
      '[x]('.repeat(2000),
      '**'.repeat(3000),
      '&#x1F600;'.repeat(500),
      '<script>'.repeat(900),
    ),
    fc.constantFrom(1e300, -1, 0, Number.MAX_SAFE_INTEGER, null, [[[]]], { length: 3 }, [null], { '': {} }),
    fc.string({ unit: 'binary-ascii', maxLength: 40 }),
    fc.constantFrom('\uDC00\uD800', 'a\u0000b', '\u2028', '\u202E'),
  );
}

/** The value with what is at place `at` (counted through all of it) replaced. */
function replaced(value: unknown, at: number, instead: unknown): unknown {
  const copy = structuredClone(value);
  const places: [Record<string, unknown>, string][] = [];
  const collect = (here: unknown): void => {
    if (typeof here !== 'object' || here === null) return;
    for (const name of Object.keys(here)) {
      places.push([here as Record<string, unknown>, name]);
      collect((here as Record<string, unknown>)[name]);
    }
  };
  collect(copy);
  const place = places[at % (places.length + 1)];
  if (place === undefined) return instead;
  place[0][place[1]] = instead;
  return copy;
}

test('an event has words, whatever its type is, and none is one that says nothing', () => {
  const contentsOf = (id: string, fixture: Fixture) =>
    presets
      .find((preset) => preset.id === id)
      ?.read(payloadOf(fixture))
      ?.tasks.map(({ content }) => content);
  const event = (type: string) => ({ headers: {}, body: { specversion: '1.0', type, data: {} } });
  expect(contentsOf('cloudevents', event('v1'))).toEqual(['Event v1']);
  expect(contentsOf('cloudevents', event('___'))).toEqual(['Event ___']);
  expect(contentsOf('cloudevents', event(' \n '))).toBeUndefined();
  const binary = { headers: { 'ce-specversion': '1.0', 'ce-type': '' }, body: {} };
  expect(contentsOf('cloudevents', binary)).toEqual(['Event']);
  const change = (summary: string) => ({ headers: {}, body: { payload: { summary } } });
  expect(contentsOf('pagerduty', change('Deployed'))).toEqual(['Deployed']);
  expect(contentsOf('pagerduty', change(' \n '))).toBeUndefined();
});

test('no name or reason at Stripe takes the place of all else', () => {
  const stripe = presets.find((preset) => preset.id === 'stripe');
  const long = 'x'.repeat(20_000);
  const about = {
    object: 'subscription',
    id: long,
    customer: long,
    cancellation_details: { feedback: long },
  };
  const body = { object: 'event', type: 'customer.subscription.deleted', data: { object: about } };
  const [task] = stripe?.read(payloadOf({ headers: {}, body }))?.tasks ?? [];
  expect(task?.content).toMatch(/^The subscription of x{20,}… ended: x{20,}…$/);
  expect(task?.content.length).toBeLessThan(300);
});

test('three alerts that fire, are sent again 50 times and of which two are resolved leave one task with its count and its pin', () => {
  const alertmanager = presets.find((preset) => preset.id === 'alertmanager');
  const read = (name: string): ParsedDelivery => {
    const fixture = JSON.parse(readFileSync(new URL(`alertmanager/${name}.json`, folder), 'utf8')) as Fixture;
    return alertmanager?.read(payloadOf(fixture)) ?? { tasks: [], resolves: [] };
  };
  const tasks = new Map<string, Task>();
  let now = Date.UTC(2026, 10, 21);
  const deliver = (reading: ParsedDelivery): void => {
    now += 60_000;
    for (const key of reading.resolves) {
      const task = tasks.get(key);
      tasks.set(
        key,
        (task && resolveTask(task, now)) ?? task ?? newTask(draft({ content: 'never' }), key, 'ada', now),
      );
    }
    for (const one of reading.tasks) {
      const key = one.dedupeKey ?? '';
      const written = draft({ content: one.content, priority: one.priority ?? 'normal', dedupeKey: key });
      const known = tasks.get(key);
      tasks.set(key, (known && repeatTask(known, written, now)) ?? newTask(written, key, 'ada', now));
    }
  };
  deliver(read('firing-three'));
  const pinned = tasks.get('alertmanager:a1b2c3d4e5f60718');
  if (pinned !== undefined) tasks.set(pinned.dedupeKey ?? '', { ...pinned, pinned: true });
  for (let time = 0; time < 50; time++) deliver(read('firing-three'));
  deliver(read('mixed'));
  const open = [...tasks.values()].filter((task) => isVisible(task, now));
  expect(tasks.size).toBe(3);
  expect(
    open.map(({ dedupeKey, occurrences, pinned, priority }) => ({
      dedupeKey,
      occurrences,
      pinned,
      priority,
    })),
  ).toEqual([
    { dedupeKey: 'alertmanager:a1b2c3d4e5f60718', occurrences: 52, pinned: true, priority: 'high' },
  ]);
});
