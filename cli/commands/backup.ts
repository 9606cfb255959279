// Backup and restore of either store, in a file that either store can be restored from.
import { systemClock } from '#core/system-clock.ts';
import { textOption, UsageError, usageOf, type Command, type Output, type Words } from '../command.ts';
import { jsonOption } from '../client/options.ts';
import { timeText } from '../client/when.ts';
import { openExport, writeExport } from '../export-file.ts';
import { KINDS, move, NAMES, type Counts } from '../move.ts';
import { operatorConfig } from '../operator.ts';
import { openToFill, openToRead } from '../stores.ts';

const exportCommand: Command = {
  name: 'export',
  usage: '--to FILE [--json]',
  summary: 'write everything that lasts into a file, beside a running server or without one',
  options: {
    to: { type: 'string', value: 'FILE', help: 'the file, which must not be there' },
    ...jsonOption,
  },
  rerun: 'No file was written. Run this again once that is mended.',
  async run(words, output) {
    const file = fileOf(exportCommand, words, 'to');
    const store = await openToRead(operatorConfig());
    try {
      const { counts, at } = await writeExport(file, store.transfer, systemClock);
      if (words.values['json'] === true) return output.print(JSON.stringify({ counts, at }));
      tell(output, `Written to ${file}:`, counts);
      output.print('Keep the JWT_SECRET of this install with it: secrets of intakes are sealed with it.');
    } finally {
      await store.close();
    }
  },
};

const importCommand: Command = {
  name: 'import',
  usage: '--from FILE [--json]',
  summary: 'fill an empty store from such a file, and compare; no server may run on it',
  options: { from: { type: 'string', value: 'FILE', help: 'the file' }, ...jsonOption },
  rerun: 'Running this again completes the import.',
  async run(words, output) {
    const file = fileOf(importCommand, words, 'from');
    const source = await openExport(file);
    const store = await openToFill(operatorConfig());
    try {
      const moved = await move(source, store.transfer, systemClock);
      if (words.values['json'] === true) return output.print(JSON.stringify({ ...moved, at: source.at }));
      tell(
        output,
        `Read from ${file}, of ${timeText(source.at)}, without what has run out since:`,
        moved.counts,
      );
      output.print(
        `Compared: file and store are the same (SHA-256 ${moved.checksum}).\n` +
          'Start with the JWT_SECRET of the install that it is from. API keys work as before; people sign in again.',
      );
    } finally {
      await store.close();
    }
  },
};

function fileOf(command: Command, words: Words, option: 'to' | 'from'): string {
  const file = textOption(words, option);
  if (file === undefined) throw new UsageError(usageOf(command));
  return file;
}

function tell(output: Output, title: string, counts: Counts): void {
  output.print(title);
  for (const kind of KINDS) output.print(`  ${String(counts[kind]).padStart(7)}  ${NAMES[kind]}`);
}

export const backupCommands: Command[] = [exportCommand, importCommand];
