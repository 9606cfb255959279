// The demonstrations of the landing page: tasks sent by commands, and the day of a task. Pure.
import type { Priority } from '#core/contract/index.ts';

export interface DemoTask {
  text: string;
  priority: Priority;
  source: string;
  left: string;
  /** Share of its day that is left, 0 to 1. */
  life: number;
}

/** The typed commands, in a loop. */
export const SENT: readonly (DemoTask & { command: string })[] = [
  sent('Backup of db-2 failed', 'high'),
  sent('Review release 4.2', 'normal'),
  sent('Order coffee', 'low'),
  sent('nas-2 is 91% full', 'high'),
];

function sent(text: string, priority: Priority): DemoTask & { command: string } {
  const header = priority === 'normal' ? '' : ` -H "X-Priority: ${priority}"`;
  const command = `curl -d "${text}"${header} …/tasks`;
  return { command, text, priority, source: 'API', left: '24 h left', life: 1 };
}

const EARLIER: readonly DemoTask[] = [
  { text: 'CI failed on main', priority: 'high', source: 'Webhook', left: '22 h left', life: 0.92 },
  { text: 'Invoice 4711 is open', priority: 'normal', source: 'Webhook', left: '15 h left', life: 0.62 },
  { text: 'Reply to the landlord', priority: 'low', source: 'Email', left: '3 h left', life: 0.13 },
];

/** The last of the rows is fading out. */
const MAX_ROWS = 5;

export interface DemoRow extends DemoTask {
  id: number;
}

export interface Demo {
  /** Which of {@link SENT} is typed. */
  turn: number;
  typed: number;
  /** Whether it was sent: its task is the first row. */
  sent: boolean;
  rows: readonly DemoRow[];
}

/** The first command typed and sent: also the picture that stands still. */
export function firstPicture(): Demo {
  const [first] = SENT;
  const rows = [...(first === undefined ? [] : [first]), ...EARLIER].map((row, index) => ({
    ...row,
    id: -index,
  }));
  return { turn: 0, typed: first?.command.length ?? 0, sent: true, rows };
}

/** The moment after this one. */
export function afterwards(demo: Demo): Demo {
  if (demo.sent) return { ...demo, turn: (demo.turn + 1) % SENT.length, typed: 0, sent: false };
  const now = SENT[demo.turn];
  if (now === undefined || demo.typed < now.command.length) return { ...demo, typed: demo.typed + 1 };
  const id = Math.max(...demo.rows.map((row) => row.id)) + 1;
  return { ...demo, sent: true, rows: [{ ...now, id }, ...demo.rows].slice(0, MAX_ROWS) };
}

const KEYSTROKE_MS = 34;
const BEFORE_ENTER_MS = 450;
const READING_MS = 2800;

/** How long this moment lasts. */
export function lastsMs(demo: Demo): number {
  if (demo.sent) return READING_MS;
  return demo.typed === SENT[demo.turn]?.command.length ? BEFORE_ENTER_MS : KEYSTROKE_MS;
}

/** Hours of a task's day. */
export const DAY_HOURS = 24;

export type LifeStage = 'created' | 'active' | 'aging' | 'expired';

/** The stages of the timeline; `at` is where a click on one leads. */
export const LIFE_STAGES: readonly {
  id: LifeStage;
  title: string;
  hours: string;
  from: number;
  at: number;
}[] = [
  { id: 'created', title: 'Created', hours: '0h', from: 0, at: 0 },
  { id: 'active', title: 'Active', hours: '1-12h', from: 1, at: 6 },
  { id: 'aging', title: 'Aging', hours: '12-20h', from: 12, at: 16 },
  { id: 'expired', title: 'Expired', hours: '24h', from: DAY_HOURS, at: DAY_HOURS },
];

function lifeStageAt(hour: number): LifeStage {
  return LIFE_STAGES.findLast(({ from }) => hour >= from)?.id ?? 'created';
}

/** The state of the timeline's task at an hour. */
export interface Moment {
  stage: LifeStage;
  left: string;
  story: string;
  gone: boolean;
  late: boolean;
}

/** From this hour on the line under a task is warm. */
export const LATE_FROM_HOUR = 20;

export function momentOf(hour: number, pinned: boolean): Moment {
  const stage = lifeStageAt(hour);
  const hoursLeft = DAY_HOURS - hour;
  if (pinned)
    return {
      stage,
      left: 'pinned',
      story:
        stage === 'expired'
          ? 'Its day is over, and it is still here: a pinned task stays until you acknowledge it.'
          : 'Pinned: it will stay beyond 24 hours, until you acknowledge it.',
      gone: false,
      late: false,
    };
  const left = hoursLeft >= 1 ? `${Math.ceil(hoursLeft)} h left` : `${Math.ceil(hoursLeft * 60)} min left`;
  const late = hour >= LATE_FROM_HOUR;
  if (stage === 'expired')
    return {
      stage,
      left: 'expired',
      story: 'Nobody kept it, so it left by itself. Your list is clean.',
      gone: true,
      late,
    };
  const stories = {
    created: 'It has just arrived, on every screen at once.',
    active: 'Time to triage: acknowledge it, pin it, or let it wait.',
    aging: late
      ? 'Its last hours. Acknowledge it, pin it, or let it go.'
      : 'Half of its day is over. Is it still important?',
  };
  return { stage, left, story: stories[stage], gone: false, late };
}
