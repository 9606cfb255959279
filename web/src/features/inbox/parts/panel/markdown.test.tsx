import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Markdown } from './markdown.tsx';

function draw(text: string): HTMLElement {
  cleanup();
  return render(<Markdown text={text} />).container;
}

/** All that may come of a text. */
const ALLOWED = new Set(
  'DIV P STRONG EM DEL CODE PRE BR A UL OL LI SPAN BLOCKQUOTE HR TABLE THEAD TBODY TR TH TD'.split(' '),
);

describe('markdown', () => {
  test.each([
    ['**a** *b* ~~c~~ `d`', 'strong,em,del,code'],
    ['- a\n- b', 'ul,li,span,li,span'],
    ['3. a', 'ol,li,span'],
    ['> a', 'blockquote,p'],
    ['```\nx < y\n```', 'pre'],
    ['[a](https://a.example)', 'a'],
    ['| a |\n| - |\n| b |', 'div,table,thead,tr,th,tbody,tr,td'],
    // As people write mails.
    ['Regards\n---\nMarit', 'hr,p'],
    ['    indented', ''],
    ['<b>a</b><script>1</script>', ''],
    ['[a](javascript:alert(1)) [b](data:text/html,x)', ''],
    ['snake_case_name 2 * 3 * 4', ''],
  ])('%j', (text, tags) => {
    const drawn = [...draw(text).querySelectorAll('*')].map(({ tagName }) => tagName.toLowerCase());
    // The frame, and the paragraph that everything begins with.
    const inner = drawn.slice(1).filter((tag, index) => !(tag === 'p' && index === 0));
    expect(inner.join()).toBe(tags);
  });

  test.each(['- [ ] call\n- [x] write', '- [ ] call\n\n- [x] write'])(
    'the boxes of %j stand on the line of their text, once',
    (text) => {
      const items = [...draw(text).querySelectorAll('li')];
      expect(items.map(({ textContent }) => textContent)).toEqual(['☐call', '☑write']);
      expect(items.map((item) => item.querySelector('[role=img]')?.ariaLabel)).toEqual(['open', 'done']);
    },
  );

  test('a picture is a link that nothing fetches, and an address in text is a link', () => {
    const drawn = draw('![plan](https://a.example/p.png) see https://b.example/x.');
    expect([...drawn.querySelectorAll('a')].map((a) => [a.textContent, a.href, a.rel])).toEqual([
      ['plan', 'https://a.example/p.png', 'noopener noreferrer'],
      ['https://b.example/x', 'https://b.example/x', 'noopener noreferrer'],
    ]);
    expect(drawn.querySelector('img')).toBeNull();
  });

  test.each(['>', '1. ', '> - ', '[', '**a', '`a``'])('%j a thousand times over is shown', (part) => {
    const text = part.repeat(4000);
    expect(draw(text).textContent?.length).toBeGreaterThan(100);
  });

  test('of whatever text there come only these elements, and safe links', () => {
    const piece = fc.constantFrom(
      ...[
        '*',
        '_',
        '`',
        '[x](',
        'javascript:1',
        'https://a.example',
        ')',
        '![',
        '<img src=x onerror=1>',
        '\n',
        '- ',
        '> ',
      ],
      ...['|', '#', '&lt;', '\\', 'word', '```', '<', '"'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const drawn = draw(pieces.join(''));
        for (const { tagName } of drawn.querySelectorAll('*')) expect(ALLOWED).toContain(tagName);
        for (const { protocol } of drawn.querySelectorAll('a'))
          expect(['http:', 'https:']).toContain(protocol);
      }),
      { numRuns: 200 },
    );
  });
});
