// A file that a command writes whole or not at all.
import { access, open, rename, rm, type FileHandle } from 'node:fs/promises';

/** Whether there is one that can be looked at. */
export function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * Writes a file, readable by its owner alone, and waits until it is on disk. Throws, leaving none, when there
 * is one or it cannot be made.
 */
export async function writeNewFile(file: string, write: (out: FileHandle) => Promise<void>): Promise<void> {
  if (await exists(file)) throw new Error(`${file} is there already. Name a new file, or remove it first.`);
  const draft = `${file}.partial`;
  const out = await open(draft, 'w', 0o600).catch((error: unknown) => {
    throw new Error(`${file} cannot be written: its folder is not there, or nothing may be written in it.`, {
      cause: error,
    });
  });
  try {
    await write(out);
    await out.sync();
    await out.close();
    await rename(draft, file);
  } catch (error) {
    await out.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}
