// What HTML reads like as text. Whole mails are in the fixtures of the mail adapter.
import { expect, test } from 'vitest';
import { htmlToText } from './html-to-text.ts';

const LONG = `https://example.com/${'x'.repeat(150)}`;

test.each([
  ['paragraphs and breaks', '<p>One<br>two</p><p>three</p>', 'One\ntwo\n\nthree'],
  ['blanks', ' <b> a </b>\n\n<i>b</i>  c ', 'a b c'],
  ['lists', '<ul><li>a<ol><li>b</li><li>c</li></ol></li></ul>', '- a\n  1. b\n  2. c'],
  ['rows of short cells', '<table><tr><th>A</th><td>1</td></tr><tr><td>B<td>2</table>', 'A | 1\nB | 2'],
  ['cells that are layout', '<table><tr><td><p>x</p><p>y</p></td><td>z</td></tr></table>', 'x\n\ny\nz'],
  ['quotations', 'a<blockquote>b<blockquote>c</blockquote></blockquote>d', 'a\n> b\n> > c\nd'],
  ['preformatted', '<pre>a\n  b</pre>', 'a\n  b'],
  ['links', '<a href="https://e.com/a">here</a>', 'here (https://e.com/a)'],
  ['links that say where they lead', '<a href="https://e.com/">e.com</a>', 'e.com'],
  ['mail links', '<a href="mailto:a@b.c?subject=x">write</a>', 'write (a@b.c)'],
  ['links of pictures', '<a href="https://e.com/"><img alt="Shop"></a>', 'Shop (https://e.com/)'],
  ['links that lead nowhere', '<a href="javascript:x">a</a> <a href="#b">b</a> <a>c</a>', 'a b c'],
  ['what is hidden', 'a<span style="Display : None">b</span><p hidden>c</p>d', 'ad'],
  ['a page that is all hidden', '<div style="display:none">a</div>', 'a'],
  ['pictures alone', '<img alt="Sale today"><img alt="">', 'Sale today'],
  [
    'scripts, styles, titles, comments',
    '<title>t</title><style>s</style><script>"</scrip>"</script><!-- <p>c -->a',
    'a',
  ],
  ['references', '&lt;b&gt; &amp;amp; &eacute;&#8364;&#x80;&nope; &#0;', '<b> &amp; é€€&nope; \uFFFD'],
  ['brackets that are text', '1 < 2 <3 a<b', '1 < 2 <3 a<b'],
  ['attributes with brackets', '<a title="a > b" href=https://e.com/x>y</a>', 'y (https://e.com/x)'],
  ['an open quote', '<p class="x>a</p><p>b</p>', 'a\n\nb'],
  [
    'markup that becomes text stays text',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '<script>alert(1)</script>',
  ],
])('%s', (_name, html, text) => {
  expect(htmlToText(html).text).toBe(text);
});

test('long addresses are notes, each once', () => {
  expect(htmlToText(`<a href="${LONG}">a</a> <a href="${LONG}">b</a>`)).toEqual({
    text: 'a [1] b [1]',
    notes: [LONG],
    links: ['a', 'b'].map((label) => ({ url: LONG, label, isButton: false })),
  });
});

test('reading stops at the limit', () => {
  expect(htmlToText('<p>0123456789'.repeat(1000), { maxChars: 100 }).text.length).toBeLessThan(140);
});
