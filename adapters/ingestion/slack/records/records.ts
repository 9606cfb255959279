// What the listeners store: linked accounts, installations, confirmations of tasks, tasks of messages.
import { createEncryptedRecords, type RecordContext } from './encrypted-records.ts';
import { createInstallations } from './installations.ts';
import { createLinkedAccounts } from './account-links.ts';
import { keyOf } from './link-records.ts';
import type { MessagePlace } from '../payloads.ts';

/** The longest lifetime of a task that is not pinned. */
const TASK_TTL_MS = 7 * 24 * 60 * 60_000;
/** Lifetime and uses of a `response_url`, by Slack's rules. */
const URL_TTL_MS = 30 * 60_000;
const URL_USES = 5;
const MAX_TASKS_OF_MESSAGE = 5;

/** Where the confirmation of a task is, and how it can be changed. */
export type Place =
  /** Seen by one person; changed through a URL that expires at `until` (milliseconds) or after its uses. */
  | { kind: 'url'; url: string; until: number; uses: number }
  | { kind: 'message'; channelId: string; ts: string };

export interface Confirmation {
  teamId: string;
  place: Place;
}

/** Tells places of messages apart. Of those that one person sees it is not known which message they are. */
export function placeKey(message: { channelId: string; ts: string } | null): string {
  return message === null ? 'url' : `${message.channelId}:${message.ts}`;
}

export type SlackRecords = ReturnType<typeof createSlackRecords>;

/** The place of an answer that was just sent through this URL. */
export function placeOfUrl(url: string, now: number): Place {
  return { kind: 'url', url, until: now + URL_TTL_MS, uses: URL_USES - 1 };
}

export function createSlackRecords(context: RecordContext, botToken: string | null) {
  const { store, clock } = context;
  const confirmations = createEncryptedRecords<Confirmation>(context, 'confirmation');

  return {
    ...createLinkedAccounts(context),
    ...createInstallations(context, botToken),

    confirmationOf: (taskId: string) => confirmations.get(taskId),
    confirm: (taskId: string, confirmation: Confirmation): Promise<void> =>
      confirmations.put(
        taskId,
        confirmation,
        confirmation.place.kind === 'url' ? confirmation.place.until : clock.now() + TASK_TTL_MS,
      ),

    /** Ids of the tasks that a message became for an owner, the latest first. */
    async tasksOf(ownerId: string, place: MessagePlace): Promise<string[]> {
      const record = await store.get(keyOf('message', messageKey(ownerId, place)), clock.now());
      return record === null ? [] : (JSON.parse(record.value) as string[]);
    },
    /** Of two people who add a message at once, which of their ids becomes the task may show later. */
    async becameTask(ownerId: string, place: MessagePlace, taskId: string): Promise<void> {
      const key = keyOf('message', messageKey(ownerId, place));
      for (let isDone = false; !isDone;) {
        const now = clock.now();
        const expiresAt = now + TASK_TTL_MS;
        const read = await store.get(key, now);
        const known = read === null ? [] : (JSON.parse(read.value) as string[]);
        const ids = [taskId, ...known.filter((id) => id !== taskId)];
        const value = JSON.stringify(ids.slice(0, MAX_TASKS_OF_MESSAGE));
        isDone =
          read === null
            ? await store.add({ ...key, ownerId, value, expiresAt }, now)
            : await store.replace(read, value, now, expiresAt);
      }
    },
  };
}

function messageKey(ownerId: string, { teamId, channelId, ts }: MessagePlace): string {
  return `${teamId}:${channelId}:${ts}:${ownerId}`;
}
