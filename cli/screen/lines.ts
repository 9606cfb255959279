// Lines of a terminal: pieces of text with a style each, clipped to the columns that there are. Nothing
// else is written to the terminal, so that no text from outside can command it.
import { styleText } from 'node:util';
import { printable } from '../client/printable.ts';
import { fit, widthOf } from '../client/rows.ts';

type Style = 'bold' | 'inverse' | 'red' | 'blue' | 'gray' | 'yellow' | 'green';

export interface Piece {
  text: string;
  style?: Style;
}

export type Line = readonly Piece[];

export const plain = (text: string): Line => [{ text }];
export const gray = (text: string): Piece => ({ text, style: 'gray' });

/** The first pieces that so many columns hold. */
export function clip(line: Line, columns: number): Piece[] {
  const clipped: Piece[] = [];
  let room = columns;
  for (const { text, ...rest } of line) {
    const safe = printable(text);
    const shown = fit(safe, room);
    if (shown !== '' && room > 0) clipped.push({ ...rest, text: shown });
    room -= widthOf(shown);
    if (shown !== safe) break;
  }
  return clipped;
}

/** Two lines in one, the second at the right; what the first needs is not given to the second. */
export function spread(left: Line, right: Line, columns: number): Piece[] {
  const start = clip(left, columns);
  const free = columns - widthOfLine(start);
  const width = widthOfLine(right);
  return free < width + 1 ? start : [...start, { text: ' '.repeat(free - width) }, ...right];
}

function widthOfLine(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(printable(text)), 0);
}

/** As it is written, with colours where the stream takes them (`NO_COLOR`). */
export function rendered(line: Line, columns: number, stream: NodeJS.WriteStream): string {
  return clip(line, columns)
    .map(({ text, style }) => (style === undefined ? text : styleText(style, text, { stream })))
    .join('');
}

/** The lines of a text, broken between words where there is one to break at. */
export function wrap(text: string, columns: number): string[] {
  return text.split(/\r?\n/).flatMap((line) => wrapLine(printable(line.replaceAll('\t', '    ')), columns));
}

const segmenter = new Intl.Segmenter();

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const { segment } of segmenter.segment(line)) {
    const segmentWidth = widthOf(segment);
    if (width + segmentWidth > columns && current !== '') {
      const space = segment === ' ' ? current.length : current.lastIndexOf(' ');
      const isWord = space > 0;
      lines.push(isWord ? current.slice(0, space) : current);
      current = isWord ? current.slice(space + 1) : '';
      width = widthOf(current);
      if (segment === ' ' && current === '') continue;
    }
    current += segment;
    width += segmentWidth;
  }
  return [...lines, current];
}
