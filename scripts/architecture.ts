// Draws docs/architecture/rooms-{light,dark}.svg from docs/architecture/rooms.json: `node
// scripts/architecture.ts`. A gate compares the same data with the folders and the imports of the code, and
// the drawings with the data.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Point = [x: number, y: number];

export interface Rooms {
  rooms: { name: string; box: [x: number, y: number, width: number, height: number]; text: string }[];
  /** An arrow points from the room that imports to the room that is imported. */
  imports: { from: string; to: string; line: Point[]; label?: string }[];
  /** Who is outside, and above which x. */
  senders: { text: string; at: number }[];
  /** The steps of a task; `at` has the places of the step's number. */
  path: { title: string; text: string; file: string; at: Point[] }[];
}

export const THEMES = {
  light: { page: '#ffffff', room: '#f6f8fa', inner: '#ffffff', line: '#d1d9e0', arrow: '#818b98' },
  dark: { page: '#0d1117', room: '#151b23', inner: '#0d1117', line: '#3d444d', arrow: '#9198a1' },
};
export const INKS = {
  light: { text: '#1f2328', soft: '#59636e', accent: '#0969da', onAccent: '#ffffff' },
  dark: { text: '#f0f6fc', soft: '#9198a1', accent: '#4493f8', onAccent: '#0d1117' },
};
export const THEME_NAMES = ['light', 'dark'] as const;
const WIDTH = 1080;
const HEIGHT = 776;
const STEP_WIDTH = 136;
const STEPS_TOP = 618;

export const folder = fileURLToPath(new URL('../docs/architecture', import.meta.url));

export function readRooms(): Rooms {
  return JSON.parse(readFileSync(join(folder, 'rooms.json'), 'utf8')) as Rooms;
}

/** The picture as an SVG document. */
export function draw({ rooms, imports, senders, path }: Rooms, theme: (typeof THEME_NAMES)[number]): string {
  const { page, room, inner, line, arrow } = THEMES[theme];
  const { text, soft, accent, onAccent } = INKS[theme];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title"`,
    `  font-family="ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="13" fill="${text}">`,
    `<title id="title">The rooms of Qinbox, what imports what, and the path of a task</title>`,
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">`,
    `<path d="M0 0.5 8 4 0 7.5z" fill="${arrow}"/></marker></defs>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="12" fill="${page}"/>`,
    ...senders.flatMap(({ text: who, at }) => [
      `<text x="${at}" y="30" text-anchor="middle" fill="${soft}">${escape(who)}</text>`,
      `<path d="M${at} 38V58" stroke="${arrow}" stroke-dasharray="2 4" stroke-width="1.5"/>`,
    ]),
    ...rooms.map((one) => drawRoom(one, one.name.includes('/') ? inner : room, line, soft)),
    ...imports.flatMap(({ line: points, label }) => {
      const [[x, y]] = points as [Point];
      return [
        `<polyline points="${points.join(' ')}" fill="none" stroke="${arrow}" stroke-width="1.5" marker-end="url(#head)"/>`,
        ...(label === undefined
          ? []
          : [`<text x="${x + 8}" y="${y + 22}" font-size="11" fill="${soft}">${escape(label)}</text>`]),
      ];
    }),
    `<text x="40" y="${STEPS_TOP - 16}" font-size="15" font-weight="600">The path of a task</text>`,
    ...path.flatMap((step, index) => {
      const x = 40 + index * (STEP_WIDTH + 8);
      return [
        `<rect x="${x}" y="${STEPS_TOP}" width="${STEP_WIDTH}" height="140" rx="8" fill="${room}" stroke="${line}"/>`,
        badge(x + 22, STEPS_TOP + 24, index + 1, accent, onAccent),
        `<text x="${x + 42}" y="${STEPS_TOP + 29}" font-weight="600">${escape(step.title)}</text>`,
        ...lines(step.text, 20).map((part, row) => note(x + 12, STEPS_TOP + 58 + row * 16, part, soft)),
        ...lines(step.file.replaceAll('/', '/ '), 24).map((part, row, all) =>
          note(x + 12, STEPS_TOP + 130 - (all.length - 1 - row) * 13, part.replaceAll('/ ', '/'), text, 9.5),
        ),
        ...step.at.map(([left, top]) => badge(left, top, index + 1, accent, onAccent)),
      ];
    }),
    `</svg>\n`,
  ].join('\n');
}

function drawRoom({ name, box, text }: Rooms['rooms'][number], fill: string, line: string, soft: string) {
  const [x, y, width, height] = box;
  const title = name.split('/').at(-1) ?? name;
  const isOuter = !name.includes('/');
  // Beside the title where there is no room below it, or much.
  const [left, top] =
    height < 60 || height > 200 ? [x + 24 + title.length * (isOuter ? 10 : 9), y + 27] : [x + 14, y + 47];
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" fill="${fill}" stroke="${line}"/>`,
    `<text x="${x + 14}" y="${y + 27}" font-size="${isOuter ? 16 : 13}" font-weight="600">${title}</text>`,
    ...lines(text, (width - 20) / 6.6).map((part, row) => note(left, top + row * 16, part, soft)),
  ].join('\n');
}

function note(x: number, y: number, text: string, fill: string, size = 12): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}">${escape(text)}</text>`;
}

function badge(x: number, y: number, number: number, fill: string, ink: string): string {
  return [
    `<circle cx="${x}" cy="${y}" r="10" fill="${fill}"/>`,
    `<text x="${x}" y="${y + 4}" text-anchor="middle" font-size="12" font-weight="600" fill="${ink}">${number}</text>`,
  ].join('');
}

/** Breaks a text into lines of at most so many characters, where its words allow it. */
function lines(text: string, width: number): string[] {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const last = rows.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= width) rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(word);
  }
  return rows;
}

export const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const theme of THEME_NAMES)
    writeFileSync(join(folder, `rooms-${theme}.svg`), draw(readRooms(), theme));
