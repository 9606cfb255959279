// Events as text, and back: null for text that is no event, or an event of another version of the program.
import type { BusEvent } from '#core/ports/event-bus.ts';

export interface Message {
  /** The process that published it. */
  origin: string;
  event: BusEvent;
}

export function writeMessage(message: Message): string {
  return JSON.stringify(message);
}

export function readMessage(text: string): Message | null {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(message) || typeof message['origin'] !== 'string' || !isEvent(message['event'])) return null;
  return { origin: message['origin'], event: message['event'] };
}

// Only this program writes to the channel, so only the fields that subscribers rely on are checked.
function isEvent(event: unknown): event is BusEvent {
  if (!isObject(event)) return false;
  switch (event['kind']) {
    case 'task':
      return (
        typeof event['type'] === 'string' &&
        isObject(event['task']) &&
        typeof event['task']['ownerId'] === 'string'
      );
    case 'reset':
      return isNameOrNull(event['ownerId']);
    case 'access':
      return isNameOrNull(event['userId']);
    default:
      return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isNameOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
