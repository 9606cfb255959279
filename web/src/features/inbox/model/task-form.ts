// The form of Add and Edit: typed fields stay, the others follow the task, which others may change.
import type { EditTask, Task } from '#core/contract/index.ts';
import { DEFAULT_EXPIRY_MINUTES } from '#core/contract/limits.ts';
import type { DraftFields } from '../../../lib/drafts.ts';
import { formatTags, parseTags } from '../../../lib/tags.ts';

/** The fields, and the value of each before it was changed. */
export interface Form {
  fields: DraftFields;
  base: DraftFields;
}

const NAMES = ['content', 'priority', 'tags', 'expiryMinutes', 'pinned', 'plain'] as const;

/** The fields of a task; for null those of a new one. */
export function fieldsOf(task: Task | null): DraftFields {
  return {
    content: task?.content ?? '',
    priority: task?.priority ?? 'normal',
    tags: formatTags(task?.tags ?? []),
    ...(task === null ? { expiryMinutes: DEFAULT_EXPIRY_MINUTES, pinned: false, plain: '' } : {}),
  };
}

/** The form over the task's present values. The same object where nothing changes. */
export function follow(form: Form, now: DraftFields): Form {
  const follows = NAMES.filter((name) => !isTouched(form, name) && now[name] !== form.base[name]);
  if (follows.length === 0) return form;
  const news = Object.fromEntries(follows.map((name) => [name, now[name]]));
  return { fields: { ...form.fields, ...news }, base: { ...form.base, ...news } };
}

/** Whether any field differs from the task. */
export function isDirty(form: Form): boolean {
  return NAMES.some((name) => isTouched(form, name));
}

/** Whether saving would replace another person's change. */
export function replacesNewer(form: Form, now: DraftFields): boolean {
  return NAMES.some(
    (name) => isTouched(form, name) && now[name] !== form.base[name] && now[name] !== form.fields[name],
  );
}

/** What differs from the task. Others may change the rest before this arrives: offline, hours later. */
export function changedFields(task: Task, { content, priority, tags }: Required<EditTask>): EditTask {
  // A tag with a comma, which only the API can give, reads back as two: left alone, it stays one.
  const areSame = formatTags(tags) === formatTags(parseTags(formatTags(task.tags)));
  return {
    ...(content === task.content.trim() ? {} : { content }),
    ...(priority === task.priority ? {} : { priority }),
    ...(areSame ? {} : { tags }),
  };
}

function isTouched({ fields, base }: Form, name: (typeof NAMES)[number]): boolean {
  return fields[name] !== base[name];
}
