// What is read of HTML and Markdown in webhooks.
import { expect, test } from 'vitest';
import { labelledLink, manyLines, oneLine, plain, plainHtml } from './text.ts';

const PICTURE = `data:image/png;base64,${'iVBORw0KGgo/'.repeat(5000)}`;

test('the text after a large picture in it is read, and nothing of the picture', () => {
  expect(plainHtml(`<p>Before</p><img src="${PICTURE}"><p>after</p>`)).toBe('Before\n\nafter');
  expect(plain(`Before\n\n![a plan](${PICTURE})\n\nafter`)).toBe('Before\n\na plan\n\nafter');
});

test('code says what it said: in it no character is Markdown, HTML or the name of an emoji', () => {
  const code = 'def __init__(*args, **kwargs):\n<div> # :bug: &lt; [a](b)\n* _x_';
  for (const fence of ['```', '~~~~']) {
    expect(plain(`Fails in **this**:\n\n${fence}py\n${code}\n${fence}\n*always*`)).toBe(
      `Fails in this:\n\n${code}\nalways`,
    );
    expect(plain(`Fails:\n${fence}\n${code}`)).toBe(`Fails:\n${code}`);
  }
  expect(plain('`__init__` of `<App>` and ``a_b_c`` in _one_ `*')).toBe(
    '__init__ of <App> and a_b_c in one `*',
  );
  expect(plain('- one\n    ```\n    $ rm *.log *.txt\n    ```\n- two')).toBe(
    '- one\n$ rm *.log *.txt\n- two',
  );
  expect(plain('<!-- `not` shown\n```\nnor this\n```\n-->shown')).toBe('shown');
  expect(plain('```a_b_c```\n*d*')).toBe('a_b_c\nd');
  expect(plain('a \uE0000\uE001 b `c`')).toBe('a 0 b c');
});

test('the address behind words is found, that of a picture is not', () => {
  const log = '[the **log**](https://ci.example/a_b_c/1 "Log")';
  expect(labelledLink(`![plan](https://p.example/1.png) See ${log} or [x](https://x.example)`)).toBe(
    'https://ci.example/a_b_c/1',
  );
  for (const none of ['https://x.example', '[x](javascript:alert)', '[y](/here)', '[](https://e.example)'])
    expect(labelledLink(none)).toBe('');
});

test('a text that nobody sees is none, so that something else is said in its place', () => {
  expect(oneLine(' \u200B\u3164 ')).toBe('');
  expect(manyLines('\u2800\n\u00AD')).toBe('');
  expect(oneLine('\u200Bup\u200B')).toBe('\u200Bup\u200B');
});
