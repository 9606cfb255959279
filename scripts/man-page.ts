// Writes docs/cli/qinbox.1 from the description of the commands: `node scripts/man-page.ts`. A test compares
// the two.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { groups } from '#cli/main.ts';
import { manPage } from '#cli/man-page.ts';

/** The page, as it should be. */
export const wholeManPage = async (): Promise<string> => manPage(await groups());

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../docs/cli/qinbox.1', import.meta.url), await wholeManPage());
