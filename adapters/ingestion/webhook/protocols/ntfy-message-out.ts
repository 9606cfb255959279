// Tasks as messages of ntfy, and the lines in which its clients read them.
// https://docs.ntfy.sh/subscribe/api/#json-message-format
import { randomCharacters } from '#core/domain/ids.ts';
import { filled } from '#core/domain/filled.ts';
import type { FeedItem } from '#core/domain/feed.ts';
import type { Priority } from '#core/contract/index.ts';
import { linkOf, textOf } from './subscriber.ts';

const ID_CHARACTERS = 12;
const PRIORITIES: Readonly<Record<Priority, number | undefined>> = { high: 4, normal: undefined, low: 2 };

export interface NtfyMessage {
  id: string;
  /** Seconds. */
  time: number;
  expires?: number;
  event: 'open' | 'keepalive' | 'message' | 'message_delete';
  topic: string;
  title?: string;
  message?: string;
  priority?: number;
  tags?: readonly string[];
  click?: string;
  /** What the messages about one task have in common. */
  sequence_id?: string;
}

/** One that says something of the connection. */
export function signal(event: 'open' | 'keepalive', topic: string, now: number): NtfyMessage {
  return { id: randomCharacters(ID_CHARACTERS), time: seconds(now), event, topic };
}

export function messageOf(item: FeedItem, topic: string): NtfyMessage {
  if (item.kind === 'removed') {
    const { cursor: id, at, taskId } = item;
    return { id, time: seconds(at), event: 'message_delete', topic, sequence_id: sequenceOf(taskId) };
  }
  const { cursor: id, task } = item;
  const { title, text } = textOf(task);
  const sequence = sequenceOf(task.id);
  return {
    id,
    time: seconds(task.lastOccurredAt),
    ...(task.pinned ? {} : { expires: seconds(task.expiresAt) }),
    event: 'message',
    topic,
    ...filled({
      title,
      message: text,
      priority: PRIORITIES[task.priority],
      tags: task.tags,
      click: linkOf(task),
      sequence_id: sequence === id ? '' : sequence,
    }),
  };
}

function sequenceOf(taskId: string): string {
  return taskId.slice(taskId.indexOf('_') + 1);
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** The ways in which clients read a stream over HTTP. */
export const ENCODINGS: Readonly<Record<string, { type: string; line: (message: NtfyMessage) => string }>> = {
  json: { type: 'application/x-ndjson', line: (message) => `${JSON.stringify(message)}\n` },
  sse: {
    type: 'text/event-stream',
    line: (message) => {
      const data = `data: ${JSON.stringify(message)}\n\n`;
      return message.event === 'message' ? data : `event: ${message.event}\n${data}`;
    },
  },
  raw: {
    type: 'text/plain',
    line: ({ event, message = '' }) => (event === 'message' ? `${message.replaceAll('\n', ' ')}\n` : '\n'),
  },
};
