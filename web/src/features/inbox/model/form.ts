// The form of Add and Edit over a task that others may change meanwhile: what was typed stays, what was not touched follows.
import type { Task } from '#core/contract/index.ts';
import type { DraftFields } from '../../../lib/drafts.ts';
import { formatTags } from '../../../lib/tags.ts';

/** What is in the fields, and what each held before it was touched. */
export interface Form {
  fields: DraftFields;
  base: DraftFields;
}

const NAMES = ['content', 'priority', 'tags'] as const;

/** The fields as the task has them; those of a new one. */
export function fieldsOf(task: Task | null): DraftFields {
  return {
    content: task?.content ?? '',
    priority: task?.priority ?? 'normal',
    tags: formatTags(task?.tags ?? []),
  };
}

/** The form over what the task holds now. The same object where nothing follows. */
export function follow(form: Form, now: DraftFields): Form {
  const follows = NAMES.filter((name) => !isTouched(form, name) && now[name] !== form.base[name]);
  if (follows.length === 0) return form;
  const news = Object.fromEntries(follows.map((name) => [name, now[name]]));
  return { fields: { ...form.fields, ...news }, base: { ...form.base, ...news } };
}

/** Whether it says anything that the task did not. */
export function isDirty(form: Form): boolean {
  return NAMES.some((name) => isTouched(form, name));
}

/** Whether saving would replace what somebody else has written since. */
export function replacesNewer(form: Form, now: DraftFields): boolean {
  return NAMES.some(
    (name) => isTouched(form, name) && now[name] !== form.base[name] && now[name] !== form.fields[name],
  );
}

function isTouched({ fields, base }: Form, name: (typeof NAMES)[number]): boolean {
  return fields[name] !== base[name];
}
