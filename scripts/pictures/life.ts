// The life of a task: five of them over a day and a quarter, each in a row.
import { DEFAULT_EXPIRY_MINUTES, GRACE_MS, UNDO_WINDOW_MS } from '#core/contract/limits.ts';
import { escape, INKS, THEMES } from '../architecture.ts';
import { frame, type Theme } from './frame.ts';

const DAY_HOURS = DEFAULT_EXPIRY_MINUTES / 60;
const UNDO_MINUTES = UNDO_WINDOW_MS / 60_000;
const GRACE_HOURS = GRACE_MS / 3_600_000;
const LEFT = 150;
const PER_HOUR = 25;
const BAR = 26;
const ROW = 84;
const FIRST_ROW = 66;
const xOf = (hour: number) => LEFT + hour * PER_HOUR;

type Kind = 'fresh' | 'plain' | 'warm' | 'last' | 'pinned' | 'hidden' | 'undo';

interface Row {
  name: string;
  note: string;
  spans: { from: number; to: number; kind: Kind; text?: string }[];
  /** Hours with a mark above, and what happens then. */
  marks?: { at: number; text: string }[];
}

const LIFE: Row[] = [
  {
    name: 'Left alone',
    note: `It is New for an hour, Aging from half of its time on, and gone at ${DAY_HOURS} h, to the millisecond.`,
    spans: [
      { from: 0, to: 1, kind: 'fresh' },
      { from: 1, to: 12, kind: 'plain', text: 'Active' },
      { from: 12, to: 23, kind: 'warm', text: 'Aging' },
      { from: 23, to: 24, kind: 'last' },
    ],
    marks: [
      { at: 0, text: 'New' },
      { at: 24, text: 'expired' },
    ],
  },
  {
    name: 'Acknowledged',
    note: `It is gone at once, for everybody, and can be taken back for ${UNDO_MINUTES} minutes.`,
    spans: [
      { from: 0, to: 9, kind: 'plain' },
      { from: 9, to: 9.6, kind: 'undo' },
    ],
    marks: [{ at: 9, text: 'done' }],
  },
  {
    name: 'Pinned',
    note: `It stays beyond its time. Unpinned after it, it has ${GRACE_HOURS} more hour.`,
    spans: [
      { from: 0, to: 5, kind: 'plain' },
      { from: 5, to: 32.4, kind: 'pinned', text: 'until it is unpinned or acknowledged' },
    ],
    marks: [{ at: 5, text: 'pin' }],
  },
  {
    name: 'Snoozed',
    note: 'It is in no list while it sleeps, its time stands still, and it is back at the minute, with what it had left.',
    spans: [
      { from: 0, to: 8, kind: 'plain' },
      { from: 8, to: 15, kind: 'hidden', text: 'hidden' },
      { from: 15, to: 31, kind: 'plain', text: 'the 16 h that it had left' },
    ],
    marks: [
      { at: 8, text: 'snooze' },
      { at: 15, text: 'back' },
    ],
  },
  {
    name: 'Repeated',
    note: 'The same dedupe key again makes no second task: its count goes up, and its time begins anew.',
    spans: [
      { from: 0, to: 6, kind: 'plain' },
      { from: 6, to: 30, kind: 'plain', text: `×2, ${DAY_HOURS} h from the repeat` },
    ],
    marks: [{ at: 6, text: 'repeat' }],
  },
];

const SPANS: Record<Theme, Record<Kind, string>> = {
  light: {
    fresh: '#b9d9dc',
    plain: '#e4e9eb',
    warm: '#f3dfc1',
    last: '#e5b888',
    pinned: '#b9d9dc',
    hidden: 'none',
    undo: 'none',
  },
  dark: {
    fresh: '#1f5a60',
    plain: '#2c3438',
    warm: '#5a4526',
    last: '#8a5a2a',
    pinned: '#1f5a60',
    hidden: 'none',
    undo: 'none',
  },
};

export function drawLife(theme: Theme): string {
  const { line } = THEMES[theme];
  const { soft } = INKS[theme];
  const height = FIRST_ROW + LIFE.length * ROW - 8;
  const hours = [0, 6, 12, 18, 24, 30].flatMap((hour) => [
    `<path d="M${xOf(hour)} 40V${height - 24}" stroke="${line}"${hour === DAY_HOURS ? '' : ' stroke-dasharray="2 5"'}/>`,
    `<text x="${xOf(hour)}" y="28" text-anchor="middle" font-size="12" fill="${soft}">${hour} h</text>`,
  ]);
  return frame(theme, [1000, height], 'The life of a task', [
    ...hours,
    ...LIFE.flatMap((row, index) => drawRow(row, FIRST_ROW + index * ROW, theme)),
  ]);
}

function drawRow({ name, note, spans, marks = [] }: Row, top: number, theme: Theme): string[] {
  const { arrow, page } = THEMES[theme];
  const { soft, text: ink } = INKS[theme];
  return [
    `<text x="24" y="${top + 18}" font-weight="600">${escape(name)}</text>`,
    ...spans.flatMap(({ from, to, kind, text }) => {
      const isOutline = kind === 'hidden' || kind === 'undo';
      const outline = isOutline ? ` stroke="${arrow}" stroke-dasharray="4 3"` : '';
      const width = (to - from) * PER_HOUR - 2;
      return [
        `<rect x="${xOf(from) + 1}" y="${top}" width="${width}" height="${BAR}" rx="4" fill="${isOutline ? page : SPANS[theme][kind]}"${outline}/>`,
        ...(text === undefined
          ? []
          : [
              `<text x="${(xOf(from) + xOf(to)) / 2}" y="${top + 18}" text-anchor="middle" font-size="13" fill="${isOutline ? soft : ink}">${escape(text)}</text>`,
            ]),
      ];
    }),
    ...marks.map(
      ({ at, text }) =>
        `<text x="${xOf(at) + 3}" y="${top - 5}" font-size="12" fill="${soft}">${escape(text)}</text>`,
    ),
    `<text x="${LEFT + 2}" y="${top + BAR + 17}" font-size="12.5" fill="${soft}">${escape(note)}</text>`,
  ];
}
