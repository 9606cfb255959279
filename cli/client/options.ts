// Options that several commands share.
import type { Option } from '../command.ts';

export const jsonOption = {
  json: { type: 'boolean', help: 'answer in JSON, for programs' },
} satisfies Record<string, Option>;

export const priorityOption = {
  priority: { type: 'string', short: 'p', choices: ['high', 'normal', 'low'], help: 'how urgent it is' },
} satisfies Record<string, Option>;

export const tagOption = {
  tag: { type: 'string', short: 't', multiple: true, value: 'TAG', help: 'a tag; may be repeated' },
} satisfies Record<string, Option>;

/** What a new task is given. */
export const taskOptions = {
  ...priorityOption,
  ...tagOption,
  source: { type: 'string', value: 'NAME', help: 'where it comes from' },
  expires: { type: 'string', value: 'TIME', help: 'how long it stays: 30m, 2h, 1d; at most 7d' },
  pin: { type: 'boolean', help: 'it stays beyond its time, until it is acknowledged' },
  key: { type: 'string', value: 'KEY', help: 'dedupe key: while a task has it, a repeat raises its count' },
} satisfies Record<string, Option>;
