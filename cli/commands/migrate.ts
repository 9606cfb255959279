// Moves an embedded install to the production size: from the file in DATA_DIR to MongoDB. The file is held by
// this process alone meanwhile, so that no server can run on it, and is left as it was.
import { existsSync } from 'node:fs';
import { ConfigError } from '#core/config-error.ts';
import { systemClock } from '#core/system-clock.ts';
import type { Storage } from '#core/ports/storage.ts';
import { textOption, UsageError, type Command, type Output, type Words } from '../command.ts';
import { jsonOption } from '../client/options.ts';
import { KINDS, move, NAMES, type Moved } from '../move.ts';
import { operatorConfig } from '../operator.ts';
import { databaseFile, openAlone, openMongo } from '../stores.ts';

const USAGE = '[--to mongodb://HOST/DATABASE] [--json]';

export const migrate: Command = {
  name: 'migrate',
  usage: USAGE,
  summary: 'copy an embedded install to MongoDB (default: MONGODB_URL)',
  options: {
    to: { type: 'string', value: 'URL', help: 'the database; MONGODB_URL when not given' },
    ...jsonOption,
  },
  rerun: 'The file was not changed. Running this again completes the copy.',
  async run(words, output) {
    const config = operatorConfig();
    const url = targetOf(words, config.production?.mongoUrl);
    const givenAs = textOption(words, 'to') === undefined ? 'MONGODB_URL' : '--to';
    const file = databaseFile(config);
    const source = openSource(file);
    let target: Storage | undefined;
    try {
      target = await openMongo(url, givenAs).catch((error: unknown) => {
        throw error instanceof ConfigError && givenAs === '--to' ? new UsageError(error.message) : error;
      });
      const moved = await move(source.transfer, target.transfer, systemClock);
      if (words.values['json'] === true) output.print(JSON.stringify(moved));
      else tell(output, file, moved);
    } finally {
      await target?.close();
      await source.close();
    }
  },
};

function targetOf(words: Words, configured: string | undefined): string {
  const url = textOption(words, 'to') ?? configured;
  if (url === undefined || !/^mongodb(\+srv)?:\/\/[^/]/.test(url))
    throw new UsageError(`Usage: qinbox migrate ${USAGE}\nWithout --to, MONGODB_URL says where to.`);
  return url;
}

function openSource(file: string): Storage {
  if (!existsSync(file))
    throw new Error(
      `There is no embedded install to move: ${file} is not there. Set DATA_DIR to its folder.`,
    );
  return openAlone(file);
}

function tell(output: Output, file: string, { counts, before, checksum }: Moved): void {
  output.print(`Copied from ${file} to MongoDB:`);
  for (const kind of KINDS) output.print(`  ${String(counts[kind]).padStart(7)}  ${NAMES[kind]}`);
  if (before > 0) output.print(`${before} of them were there already, from a run before.`);
  output.print(`Compared: both sides are the same (SHA-256 ${checksum}).`);
  output.print(
    'The file was not changed. Now set MONGODB_URL, REDIS_URL and JWT_SECRET, and start.\n' +
      'JWT_SECRET must be what is in jwt-secret beside the file: secrets of intakes are sealed with it.\n' +
      'API keys work as before; people sign in again.',
  );
}
