// `qinbox man`: the man page, shown by `man` on a terminal, else printed for a file.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError, EXIT_REFUSED, type Command, type CommandGroup } from '../command.ts';
import { manPage } from '../man-page.ts';

export function createMan(load: () => Promise<readonly CommandGroup[]>): Command {
  return {
    name: 'man',
    usage: '',
    summary: 'show the man page, or print it where standard output is no terminal',
    examples: [['qinbox man > ~/.local/share/man/man1/qinbox.1', 'makes it known as: man qinbox']],
    async run(_words, output) {
      const page = manPage(await load());
      if (process.stdout.isTTY) show(page);
      else output.print(page.trimEnd());
    },
  };
}

function show(page: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'qinbox-man-'));
  try {
    const file = join(folder, 'qinbox.1');
    writeFileSync(file, page);
    const { error, status } = spawnSync('man', [file], { stdio: 'inherit' });
    if (error !== undefined || status !== 0)
      throw new CommandError('man cannot show it here. See: qinbox help', EXIT_REFUSED);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
