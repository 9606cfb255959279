// What stays of texts with pictures in them.
import { expect, test } from 'vitest';
import { withoutDataUrls } from './data-urls.ts';

const DATA = 'iVBORw0KGgo/+'.repeat(100);
const LINES = DATA.replace(/.{76}/g, '$&\r\n');

test.each([
  ['an attribute', `<img src="data:image/png;base64,${DATA}"> é`, '<img src="data:image/png;..."> é'],
  [
    'an attribute of many lines',
    `<img src='data:image/png;base64,\n${LINES}'>b`,
    "<img src='data:image/png;...'>b",
  ],
  ['an attribute without quotation marks', `<img src=data:;base64,${DATA}>b`, '<img src=data:;...>b'],
  [
    'a drawing',
    `<img src="data:image/svg+xml,<svg>${' '.repeat(300)}</svg>">b`,
    '<img src="data:image/svg+xml,...">b',
  ],
  [
    'a style',
    `<p style="background: url(data:image/gif;base64,${DATA})">b`,
    '<p style="background: url(data:image/gif;...)">b',
  ],
  [
    'a style with references',
    `<p style="src:url(&quot;data:font/woff2;base64,${DATA}&quot;)">`,
    '<p style="src:url(&quot;data:font/woff2;...&quot;)">',
  ],
  [
    'plain text',
    `a [DATA:image/png;base64,${DATA}] b data:image/png;base64,${DATA} c`,
    'a [DATA:image/png;...] b data:image/png;... c',
  ],
  ['a text that ends in one', `a data:image/png;base64,${DATA}`, 'a data:image/png;...'],
  ['a quotation mark without another', `a "data:image/png;base64,${DATA} b`, 'a "data:image/png;... b'],
])('%s', (_what, text, expected) => {
  expect(withoutDataUrls(text)).toBe(expected);
});

test.each([
  ['a short one', 'See "data:text/plain;base64,QUJD".'],
  ['what only looks like one', `metadata: ${DATA}, "data: ${'of today, '.repeat(50)}"`],
])('%s stays as it is', (_what, text) => {
  expect(withoutDataUrls(text)).toBe(text);
});
