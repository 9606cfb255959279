// In a page that the browser translates, what React changes is seen, and nothing fails.
import { render, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { keepTranslatedTexts } from './translated-text.ts';

keepTranslatedTexts();

interface LineProps {
  count: number;
  busy?: boolean;
  note?: string | null;
}

function Line({ count, busy = false, note = null }: LineProps) {
  return (
    <p data-testid="line">
      {busy ? <b>Wait.</b> : null}
      {count} items{note}
    </p>
  );
}

/** As Chrome does: in one step; as others do: first beside it. */
const WAYS = {
  'in one step': (text: Text, font: Element) => text.replaceWith(font),
  'in two steps': (text: Text, font: Element) => {
    text.before(font);
    text.remove();
  },
};

function textsOf(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
  return texts.filter((text) => text.parentNode?.nodeName !== 'FONT');
}

describe.each(Object.entries(WAYS))('translated %s', (_way, replace) => {
  function translate() {
    for (const text of textsOf(screen.getByTestId('line'))) {
      const font = document.createElement('font');
      font.textContent = text.data.toUpperCase();
      replace(text, font);
    }
  }
  const shown = () => screen.getByTestId('line').textContent;

  test('a changed text is seen, each time', async () => {
    const { rerender } = render(<Line count={2} />);
    for (const count of [3, 4]) {
      translate();
      await Promise.resolve();
      rerender(<Line count={count} />);
      await Promise.resolve();
      expect(shown()).toBe(`${count} ITEMS`);
    }
  });

  test('a text is removed, and comes again', async () => {
    const { rerender, unmount } = render(<Line count={2} note=" (more)" />);
    translate();
    rerender(<Line count={2} />);
    expect(shown()).toBe('2 ITEMS');
    rerender(<Line count={2} note=" (again)" />);
    translate();
    await Promise.resolve();
    expect(shown()).toBe('2 ITEMS (AGAIN)');
    unmount();
  });

  test('something comes before a text', () => {
    const { rerender } = render(<Line count={2} />);
    translate();
    rerender(<Line count={2} busy />);
    expect(shown()).toBe('Wait.2 ITEMS');
  });
});
