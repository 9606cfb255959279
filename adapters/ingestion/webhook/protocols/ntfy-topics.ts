// Which tasks a topic of ntfy shows, and which messages a subscriber filters out.
import type { Task } from '#core/domain/task.ts';
import { isTokenForm } from '#core/domain/intake-token.ts';
import type { HttpRequest } from '#core/ports/adapter/http.ts';
import type { IntakeService } from '#core/ports/adapter/intake.ts';
import { LEVELS } from '../presets/ntfy-message.ts';
import { entry } from '../presets/read.ts';
import type { NtfyMessage } from './ntfy-message-out.ts';
import { intakeOf, parameter } from './subscriber.ts';

/** The topic that shows the whole queue. */
const WHOLE_QUEUE = 'inbox';
const MAX_TOPICS = 50;

export interface Topic {
  name: string;
  shows: (task: Task) => boolean;
}

/**
 * The topics of a path, with commas between them: `inbox` for all tasks, a tag, the name of an intake with
 * dashes for spaces, or an intake's token.
 */
export function topicsOf(
  path: string,
  ownerId: string,
  intakeService: IntakeService,
): Promise<readonly Topic[]> {
  const names = [...new Set(path.split(','))].filter((name) => name !== '').slice(0, MAX_TOPICS);
  return Promise.all(
    names.map(async (name) => {
      const wanted = name.toLowerCase();
      if (wanted === WHOLE_QUEUE) return { name, shows: () => true };
      if (isTokenForm(name)) {
        const intake = await intakeService.find(name);
        const id = intake?.ownerId === ownerId ? intake.id : null;
        return { name, shows: (task: Task) => id !== null && intakeOf(task)?.id === id };
      }
      return { name, shows: (task: Task) => hasName(task, wanted) };
    }),
  );
}

function hasName(task: Task, wanted: string): boolean {
  return (
    task.tags.some((tag) => dashed(tag) === wanted || tag.toLowerCase() === wanted) ||
    dashed(intakeOf(task)?.name ?? '') === wanted
  );
}

function dashed(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}_-]+/gu, '-');
}

/** Whether a subscriber wants a message; null when a filter is not valid. */
export function filterOf(request: HttpRequest): ((message: NtfyMessage) => boolean) | null {
  const id = parameter(request, 'x-id', 'id');
  const text = parameter(request, 'x-message', 'message', 'm');
  const title = parameter(request, 'x-title', 'title', 't');
  const tags = listOf(parameter(request, 'x-tags', 'tags', 'tag', 'ta'));
  const names = listOf(parameter(request, 'x-priority', 'priority', 'prio', 'p'));
  const priorities: (number | undefined)[] = names.map((name) => entry(LEVELS, name.toLowerCase()));
  if (priorities.includes(undefined)) return null;
  return (message) =>
    (id === '' || message.id === id) &&
    (text === '' || message.message === text) &&
    (title === '' || message.title === title) &&
    (priorities.length === 0 || priorities.includes(message.priority ?? 3)) &&
    tags.every((tag) => message.tags?.includes(tag) === true);
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
