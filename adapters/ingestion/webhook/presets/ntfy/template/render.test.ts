// Go templates as messages of ntfy have them: what Go would print, and an end to every template.
import { performance } from 'node:perf_hooks';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderGoTemplate } from './render.ts';

const ALERT = {
  title: '[FIRING:1] Load',
  status: 'firing',
  count: 3,
  error: { level: 'severe', desc: 'Disk has run out' },
  alerts: [
    { annotations: { summary: '15m load average too high' }, values: { B: 18.98, C: 0 } },
    { annotations: { summary: 'Second' }, values: {} },
  ],
  ['__proto__x']: 1,
};

// From https://docs.ntfy.sh/publish/#message-templating, its prebuilt templates, and Go's documentation.
it.each([
  ['{{.title}}', '[FIRING:1] Load'],
  ['Error message: {{.error.desc}}', 'Error message: Disk has run out'],
  [
    '{{range .alerts}}{{.annotations.summary}}\n\nValues:\n{{range $k,$v := .values}}- {{$k}}={{$v}}\n{{end}}{{end}}',
    '15m load average too high\n\nValues:\n- B=18.98\n- C=0\nSecond\n\nValues:',
  ],
  ['{{if eq .status "firing"}}FIRES{{else}}over{{end}}', 'FIRES'],
  ['{{if eq .status "a"}}A{{else if eq .status "firing"}}B{{else}}C{{end}}', 'B'],
  ['{{- if and .error (ne .error.level "mild") }}\n  {{ .error.level | upper }}\n{{- end }}', 'SEVERE'],
  [
    '{{ (index .alerts 1).annotations.summary }}, {{ (first .alerts).annotations.summary | trunc 3 }}',
    'Second, 15m',
  ],
  ['{{ .nothing.here }}|{{ .missing | default "none" }}', '|none'],
  ['{{ printf "%s has %d (%.1f)" .status .count 2.25 }}', 'firing has 3 (2.3)'],
  ['{{ with .error }}{{ .desc }}{{ end }}{{/* a note */}}', 'Disk has run out'],
  ['{{ $n := 0 }}{{ range .alerts }}{{ $n = add $n 1 }}{{ end }}{{ $n }} of {{ len .alerts }}', '2 of 2'],
  [
    '{{ range $i, $a := .alerts }}{{ if $i }}, {{ end }}{{ $a.annotations.summary }}{{ end }}',
    '15m load average too high, Second',
  ],
  ['{{ range .none }}x{{ else }}empty{{ end }}', 'empty'],
  ['{{ .alerts | len }} {{ `raw "}}" text` }}', '2 raw "}}" text'],
  ['{{ .error }}', 'map[desc:Disk has run out level:severe]'],
  ['{{ range .alerts }}{{ break }}{{ end }}{{ not .count }}', 'false'],
])('prints %s', (template, text) => {
  expect(renderGoTemplate(template, ALERT)).toBe(text);
});

it.each([
  '{{.title',
  '{{if .title}}',
  '{{end}}',
  '{{ nosuch .title }}',
  '{{ template "x" }}',
  '{{ define "x" }}{{ end }}',
  '{{ fail "no" }}',
  '{{ $x }}',
  '{{ constructor }}',
  '{{ .title "x" }}',
  'x'.repeat(4001),
])('does not carry out %s', (template) => {
  expect(renderGoTemplate(template, ALERT)).toBeNull();
});

it('sees nothing but fields', () => {
  for (const field of ['.constructor', '.title.length', '.alerts.length', '.__proto__', '.toString'])
    expect(renderGoTemplate(`{{${field}}}`, ALERT)).toBe('');
});

it('ends soon, whatever the template and the payload', () => {
  const big = {
    list: Array.from({ length: 2000 }, (_, at) => at),
    object: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, { at }])),
    text: 'x'.repeat(500_000),
  };
  for (const inside of [
    '{{ range $.list }}x{{ end }}',
    '{{ range $.object }}{{ break }}{{ end }}',
    '{{ upper $.text }}',
    '{{ toJson $ }}',
    '{{ $.object }}',
    '{{ replace "x" $.text $.text }}',
    '{{ $t := cat $.text $.text }}{{ $t = cat $t $t }}',
  ]) {
    const before = performance.now();
    renderGoTemplate(`{{ range .list }}${inside}{{ end }}`, big);
    expect(performance.now() - before).toBeLessThan(2000);
  }
});

it('never throws', () => {
  const piece = fc.constantFrom(
    '{{',
    '}}',
    '.a',
    ' | ',
    '(',
    ')',
    'if ',
    'range ',
    'end',
    'else',
    '$x',
    ':=',
    '"',
    '`',
    'printf ',
    '"%d"',
    ' 1 ',
    'index ',
    'trunc ',
    'text',
    '-',
    'with ',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.jsonValue({ maxDepth: 3 }), (pieces, data) => {
      const text = renderGoTemplate(pieces.join(''), data);
      expect(text === null || typeof text === 'string').toBe(true);
    }),
    { numRuns: 500 },
  );
});
