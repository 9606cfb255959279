// Pictures of boxes and arrows.
import { escape, INKS, THEMES } from '../architecture.ts';
import { frame, type Theme } from './frame.ts';

/** A box of a flow: its middle, its lines of text. */
interface Box {
  at: [x: number, y: number];
  lines: string[];
  /** Outside of Qinbox. */
  outside?: boolean;
  /** Where its text needs more than others. */
  width?: number;
}

interface Arrow {
  points: [x: number, y: number][];
  label?: string;
  /** Where its label begins. */
  labelAt?: [x: number, y: number];
  dashed?: boolean;
}

const BOX = { width: 164, line: 18, padding: 13 };

/** Draws boxes over the arrows between them. */
export function drawFlow(
  theme: Theme,
  size: [number, number],
  title: string,
  { boxes, arrows }: { boxes: Box[]; arrows: Arrow[] },
): string {
  const { room, line, arrow: stroke } = THEMES[theme];
  const { soft } = INKS[theme];
  return frame(theme, size, title, [
    ...arrows.flatMap(({ points, label, labelAt, dashed }) => [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${stroke}" stroke-width="1.5"${dashed === true ? ' stroke-dasharray="4 4"' : ''} marker-end="url(#head)"/>`,
      ...(label === undefined || labelAt === undefined
        ? []
        : [
            `<text x="${labelAt[0]}" y="${labelAt[1]}" text-anchor="middle" font-size="12.5" fill="${soft}">${escape(label)}</text>`,
          ]),
    ]),
    ...boxes.flatMap(({ at: [x, y], lines, outside, width = BOX.width }) => {
      const height = lines.length * BOX.line + 2 * BOX.padding;
      const top = y - height / 2;
      return [
        `<rect x="${x - width / 2}" y="${top}" width="${width}" height="${height}" rx="${outside === true ? height / 2 : 8}" fill="${room}" stroke="${line}"${outside === true ? ' stroke-dasharray="4 3"' : ''}/>`,
        ...lines.map(
          (text, row) =>
            `<text x="${x}" y="${top + BOX.padding + 13 + row * BOX.line}" text-anchor="middle"${row === 0 && outside !== true ? ' font-weight="600"' : ` fill="${soft}" font-size="13"`}>${escape(text)}</text>`,
        ),
      ];
    }),
  ]);
}
