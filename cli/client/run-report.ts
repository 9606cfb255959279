// What a task says of a command that ran, and the key by which the next run finds it.
import { createHash } from 'node:crypto';
import { MAX_CONTENT_CHARACTERS } from '#core/contract/limits.ts';
import type { Execution } from './execute.ts';
import { printable } from './printable.ts';
import { durationText } from './when.ts';

const MAX_NAME_CHARACTERS = 200;

/** One line that says what became of it, and its last lines, the oldest left out where they are too many. */
export function reportText(name: string, { exitCode, signal, fault, durationMs, lines }: Execution): string {
  const took = `after ${durationText(durationMs)}`;
  const failed = `failed (${signal ?? `exit ${exitCode}`}, ${took})`;
  const verdict = exitCode === 0 ? `succeeded (${took})` : failed;
  const title = `${clipped(name)} ${fault === null ? verdict : `could not be started (${fault})`}`;
  const shown = [...lines];
  for (;;) {
    const text = shown.length === 0 ? title : `${title}\n\n${shown.join('\n')}`;
    if (shown.length === 0 || Array.from(text).length <= MAX_CONTENT_CHARACTERS) return text;
    shown.shift();
  }
}

function clipped(name: string): string {
  const characters = Array.from(printable(name));
  const isLong = characters.length > MAX_NAME_CHARACTERS;
  return isLong ? `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join('')}…` : characters.join('');
}

/** Names a command in a folder of a machine, without showing what is in its arguments. */
export function commandKey(host: string, folder: string, command: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([host, folder, command]));
  return `run ${hash.digest('hex').slice(0, 32)}`;
}
