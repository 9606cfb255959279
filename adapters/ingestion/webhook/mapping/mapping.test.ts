// What owners' templates make of payloads, what they are told when one is wrong, and that none of them holds
// the program up.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decode, type Body } from '../decode/body.ts';
import { createTemplateBudget, renderTemplate } from './liquid.ts';
import { applyMapping, checkMapping } from './mapping.ts';

function bodyOf(value: unknown, headers: Record<string, string> = {}): Body {
  const decoded = decode(Buffer.from(JSON.stringify(value)), 'application/json', headers);
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.body;
}

const render = (template: string, variables: Record<string, unknown> = {}) =>
  renderTemplate(template, { ...variables, payload: variables }, createTemplateBudget());
const textOf = (template: string, variables: Record<string, unknown> = {}) => {
  const rendered = render(template, variables);
  return rendered.ok ? rendered.text : rendered.message;
};

const order = {
  id: 17,
  state: 'FAILED',
  customer: { name: 'Ada' },
  lines: [
    { sku: 'a', n: 2 },
    { sku: 'b', n: 1 },
  ],
  note: 'first\nsecond',
  at: '2026-11-21T09:05:00Z',
};

it('makes every field of a task, from the payload at top level, as payload, and from safe headers', () => {
  const mapping = {
    content: 'Order {{ id }} of {{ payload.customer.name }} {{ state | downcase }}{{ nothing.at.all }}',
    priority: '{{ state }}',
    tags: 'shop, {{ headers.x-shop }},,{{ lines | map: "sku" }}',
    url: 'https://shop.example.com/orders/{{ id }}',
    dedupeKey: 'order-{{ id }}',
    filter: '{% if state == "FAILED" %}yes{% endif %}',
  };
  expect(applyMapping(mapping, bodyOf(order, { 'x-shop': 'north' }))).toEqual({
    ok: true,
    parsed: {
      tasks: [
        {
          content: 'Order 17 of Ada failed',
          priority: 'high',
          tags: ['shop', 'north', 'a', 'b'],
          url: 'https://shop.example.com/orders/17',
          dedupeKey: 'order-17',
        },
      ],
      resolves: [],
    },
  });
});

it.each(['', ' ', 'false', 'No', '0', 'ignore'])(
  'ignores a delivery whose filter comes out as "%s"',
  (word) => {
    expect(applyMapping({ content: 'x', filter: `{{ word }}{{ none }}` }, bodyOf({ word }))).toMatchObject({
      ok: true,
      parsed: { tasks: [], resolves: [], ignored: expect.any(String) },
    });
  },
);

it.each(['true', 'Yes', '1'])('closes the key when resolved comes out as "%s"', (word) => {
  const mapping = { content: '{{ none }}', dedupeKey: 'k-{{ id }}', resolved: '{{ word }}' };
  expect(applyMapping(mapping, bodyOf({ word, id: 3 }))).toEqual({
    ok: true,
    parsed: { tasks: [], resolves: ['k-3'] },
  });
  expect(applyMapping({ ...mapping, content: 'open' }, bodyOf({ word: 'false', id: 3 }))).toMatchObject({
    parsed: { tasks: [{ content: 'open', dedupeKey: 'k-3' }] },
  });
});

it('says which field failed and why, instead of throwing', () => {
  for (const [mapping, said] of [
    [{ content: '{{ none }}' }, 'content came out empty'],
    [{ content: 'x', dedupeKey: '{{ none }}', resolved: 'yes' }, 'dedupeKey came out empty'],
    [
      { content: 'x', tags: '{% for i in (1..99999999) %}x{% endfor %}' },
      "mapping's tags failed. Line 1, column 1: The template does too much work",
    ],
    [{ content: 'x', url: '{% nope %}' }, "mapping's url failed. Line 1, column 1: There is no tag nope"],
  ] as const)
    expect(applyMapping(mapping, bodyOf(order))).toMatchObject({
      ok: false,
      reason: expect.stringContaining(said),
    });
});

it.each([
  ['{{ lines | json }}', '[{"sku":"a","n":2},{"sku":"b","n":1}]'],
  ['{{ note | first_line }}|{{ note | truncate: 8 }}|{{ none | default: "-" }}', 'first|first...|-'],
  ['{{ at | date: "%d.%m.%Y %H:%M" }}', '21.11.2026 09:05'],
  ['{% for line in lines %}{{ line.n }}×{{ line.sku }} {% endfor %}', '2×a 1×b '],
  ['{{ lines | where: "sku", "b" | map: "n" | first }}{{ lines.size }}', '12'],
  [
    '{% if tags contains "x" %}yes{% endif %}{% case id %}{% when 17 %}seventeen{% endcase %}',
    'yesseventeen',
  ],
  ['{{ page | strip_html }}', 'Tom & Jerry'],
  // An object is nothing to read, and nobody reaches what is behind it.
  [
    '[{{ customer }}{{ constructor }}{{ payload.constructor }}{{ __proto__ }}{{ note.constructor.name }}]',
    '[]',
  ],
])('renders %s', (template, text) => {
  expect(textOf(template, { ...order, tags: ['x'], page: '<p>Tom &amp; Jerry</p><script>x</script>' })).toBe(
    text,
  );
});

describe('at save', () => {
  it.each([
    ['{{ a | shout }}', 'Line 1, column 1: There is no filter shout. There are: abs,'],
    ['x\n  {% include "secrets" %}', 'Line 2, column 3: The tag include is not available here'],
    ['{% render "x" %}', 'The tag render is not available here'],
    ['{% layout "x" %}', 'The tag layout is not available here'],
    ['{% if a %}x', 'Line 1, column 1: {% if a %} is not closed. Add {% endif %}.'],
    ['{% endfor %}', 'There is nothing open that endfor could close.'],
    ['Hello {{ name', 'Line 1, column 7: An output is not closed. Add }} where it ends.'],
    ['{{ a.b..c }}', 'Line 1, column 8: This is not understood'],
    ['x'.repeat(4001), 'over 4000 characters'],
  ])('%s is refused with what to do', (template, said) => {
    expect(checkMapping({ content: template })).toMatchObject([
      { field: 'mapping/content', message: expect.stringContaining(said) },
    ]);
  });

  it('every field is checked, and resolved needs a key', () => {
    expect(checkMapping({ content: '{{', url: '{% x %}' }).map(({ field }) => field)).toEqual([
      'mapping/content',
      'mapping/url',
    ]);
    expect(checkMapping({ content: 'x', resolved: '{{ done }}' })).toMatchObject([
      { field: 'mapping/dedupeKey' },
    ]);
    expect(
      checkMapping({ content: '{{ whatever.is | not: there }}'.replace(' | not: there', ''), resolved: ' ' }),
    ).toEqual([]);
  });
});

describe('a template that would not end', () => {
  const list = Array.from({ length: 200 }, (_, at) => at);
  const variables = { list, text: 'x'.repeat(10_000), lists: list.map(() => list.slice(0, 10)) };
  const loops = (inner: string, depth = 3) =>
    '{% for i in list %}'.repeat(depth) + inner + '{% endfor %}'.repeat(depth);
  it.each([
    ['a long range', '{% for i in (1..1000000000) %}{% endfor %}'],
    ['loops in loops', loops('')],
    ['loops with output', loops('{{ text }}')],
    ['a text that doubles', `{% assign a = text %}${'{% assign a = a | append: a %}'.repeat(20)}{{ a }}`],
    ['a text that grows by replacing', `{{ text ${'| replace: "x", "xxxxxxxxxxxxxxxxxxxx" '.repeat(10)} }}`],
    ['a join by a long text', '{{ text | split: "" | join: text }}'],
    ['a wide date', '{{ "now" | date: "%999999999d" }}'],
    ['much JSON', loops('{{ payload | json }}')],
    ['sorting over and over', loops('{{ list | sort | reverse | join }}')],
    ['captures', `{% capture a %}${loops('x'.repeat(3000), 4)}{% endcapture %}{{ a }}`],
  ])('is ended by counting its work: %s', (_name, template) => {
    expect(render(template, variables)).toMatchObject({
      ok: false,
      message: expect.stringContaining('too much work'),
    });
  });

  it('shares one budget with the other fields of its mapping', () => {
    const busy =
      '{% for i in list %}{% for j in list %}{% if j > 40 %}{% break %}{% endif %}{% endfor %}{% endfor %}';
    const single = applyMapping({ content: '{% for i in list %}.{% endfor %}' }, bodyOf(variables));
    expect(single.ok).toBe(true);
    const all = applyMapping(
      { content: busy, tags: busy, url: busy, dedupeKey: busy, filter: `${busy}yes` },
      bodyOf(variables),
    );
    expect(all).toMatchObject({ ok: false, reason: expect.stringContaining('too much work') });
  });

  it('and what comes out is cut', () => {
    expect(
      textOf('{% for i in list %}{{ text }}{% endfor %}', { list: [1, 2, 3], text: 'x'.repeat(9000) }).length,
    ).toBeLessThan(25_000);
  });
});

it('never throws, whatever template meets whatever payload', () => {
  const piece = fc.constantFrom(
    '{{ a }}',
    '{{ payload | json }}',
    '{{ a | append: payload }}',
    '{{ a | date: "%Y" }}',
    '{{ a | sort | first }}',
    '{{ a.b.c[0] }}',
    '{{ a | divided_by: 0 }}',
    '{{ a | slice: 0, 2 }}',
    '{% for x in a %}{{ x }}{% endfor %}',
    '{% if a > 1 %}x{% endif %}',
    '{{',
    '{%',
    '}}',
    '{% assign a = payload %}',
    '{{ a | where: "b" }}',
    '{{ a | sum }}',
    '{{ a | join: payload }}',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), fc.jsonValue(), (pieces, a) => {
      const applied = applyMapping(
        { content: pieces.join(' '), tags: pieces.join(',') },
        bodyOf({ a, toString: a, length: a }),
      );
      expect(applied.ok || applied.reason.length > 10).toBe(true);
    }),
    { numRuns: 200 },
  );
});
