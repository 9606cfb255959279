// One line of text that is typed: graphemes, and the place in them where the next one goes.
import { printable } from '../client/printable.ts';

export interface Editor {
  before: readonly string[];
  after: readonly string[];
}

const segmenter = new Intl.Segmenter();
const graphemes = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment);

export function editorOf(text: string): Editor {
  return { before: graphemes(text), after: [] };
}

export function textOf({ before, after }: Editor): string {
  return [...before, ...after].join('');
}

/** Inserts what is typed or pasted; a line end becomes a space. */
export function insert({ before, after }: Editor, text: string): Editor {
  const line = printable(text.replaceAll(/[\r\n\t]+/g, ' '));
  return { before: graphemes(before.join('') + line), after };
}

const EDITS: Readonly<Record<string, (editor: Editor) => Editor>> = {
  Backspace: ({ before, after }) => ({ before: before.slice(0, -1), after }),
  Delete: ({ before, after }) => ({ before, after: after.slice(1) }),
  Left: ({ before, after }) =>
    before.length === 0
      ? { before, after }
      : { before: before.slice(0, -1), after: [...before.slice(-1), ...after] },
  Right: ({ before, after }) => ({ before: [...before, ...after.slice(0, 1)], after: after.slice(1) }),
  Home: ({ before, after }) => ({ before: [], after: [...before, ...after] }),
  End: ({ before, after }) => ({ before: [...before, ...after], after: [] }),
  'Ctrl-U': ({ after }) => ({ before: [], after }),
  'Ctrl-K': ({ before }) => ({ before, after: [] }),
  'Ctrl-W': ({ before, after }) => ({
    before: graphemes(before.join('').replace(/\S*\s*$/u, '')),
    after,
  }),
};
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'Ctrl-A': 'Home',
  'Ctrl-E': 'End',
  'Ctrl-B': 'Left',
  'Ctrl-F': 'Right',
  'Ctrl-D': 'Delete',
  'Ctrl-H': 'Backspace',
};

/** The line after a key that edits; null for a key that does not. */
export function edit(editor: Editor, key: string): Editor | null {
  return EDITS[OTHER_NAMES[key] ?? key]?.(editor) ?? null;
}
