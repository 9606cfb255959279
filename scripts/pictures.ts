// Draws docs/pictures/NAME-{light,dark}.svg: the life of a task, the steps of an escalation, and what runs
// where. `node scripts/pictures.ts`; a gate compares the files with what is drawn here.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { THEME_NAMES } from './architecture.ts';
import { drawFlow } from './pictures/flow.ts';
import type { Theme } from './pictures/frame.ts';
import { drawLife } from './pictures/life.ts';

const drawEscalation = (theme: Theme) =>
  drawFlow(theme, [1000, 190], 'The steps of an escalation', {
    boxes: [
      { at: [100, 70], lines: ['A high task', 'comes'], outside: true },
      { at: [360, 70], lines: ['Push', 'to your devices'] },
      { at: [630, 70], lines: ['Slack', 'channel of the team'] },
      { at: [900, 70], lines: ['Mail', 'to somebody else'] },
      {
        at: [495, 150],
        lines: ['Acknowledged by anybody, anywhere: no further step'],
        outside: true,
        width: 410,
      },
    ],
    arrows: [
      {
        points: [
          [182, 70],
          [276, 70],
        ],
        label: 'at once',
        labelAt: [229, 62],
      },
      {
        points: [
          [442, 70],
          [546, 70],
        ],
        label: '5 minutes',
        labelAt: [494, 62],
      },
      {
        points: [
          [712, 70],
          [816, 70],
        ],
        label: '15 minutes',
        labelAt: [764, 62],
      },
    ],
  });

const drawDeployment = (theme: Theme) =>
  drawFlow(theme, [1000, 400], 'What runs where in the production size', {
    boxes: [
      { at: [110, 70], lines: ['people, senders, Slack'], outside: true },
      { at: [110, 230], lines: ['mail servers'], outside: true },
      { at: [110, 350], lines: ['Prometheus'], outside: true },
      { at: [430, 350], lines: ['/metrics of api, worker, smtp'], width: 304, outside: true },
      { at: [360, 70], lines: ['proxy', 'TLS'] },
      { at: [610, 70], lines: ['api', 'and slack'] },
      { at: [360, 230], lines: ['smtp', 'takes mail'] },
      { at: [610, 230], lines: ['Redis', 'queue, events, limits'] },
      { at: [880, 230], lines: ['worker', 'stores, sends'] },
      { at: [880, 70], lines: ['MongoDB', 'tasks, accounts'] },
    ],
    arrows: [
      {
        points: [
          [192, 70],
          [276, 70],
        ],
        label: '443',
        labelAt: [234, 62],
      },
      {
        points: [
          [442, 70],
          [526, 70],
        ],
      },
      {
        points: [
          [692, 70],
          [796, 70],
        ],
      },
      {
        points: [
          [610, 101],
          [610, 197],
        ],
      },
      {
        points: [
          [192, 230],
          [276, 230],
        ],
        label: '25',
        labelAt: [234, 222],
      },
      {
        points: [
          [442, 230],
          [526, 230],
        ],
      },
      {
        points: [
          [692, 230],
          [796, 230],
        ],
      },
      {
        points: [
          [880, 199],
          [880, 103],
        ],
      },
      {
        points: [
          [360, 199],
          [360, 150],
          [830, 150],
          [830, 103],
        ],
      },
      {
        points: [
          [192, 350],
          [276, 350],
        ],
        dashed: true,
      },
    ],
  });

export const PICTURES: Record<string, (theme: Theme) => string> = {
  life: drawLife,
  escalation: drawEscalation,
  deployment: drawDeployment,
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, draw] of Object.entries(PICTURES))
    for (const theme of THEME_NAMES)
      writeFileSync(
        join(fileURLToPath(new URL('../docs/pictures', import.meta.url)), `${name}-${theme}.svg`),
        draw(theme),
      );
