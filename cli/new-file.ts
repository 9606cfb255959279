// A file that a command writes whole or not at all.
import { access, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';

/** Why no more can be written, and what to do; the code of the system where it is none of these. */
const WRITE_FAULTS: Record<string, string> = {
  ENOSPC: 'its disk is full. Free some space there, or name a file on another disk',
  EDQUOT: 'this account may use no more of its disk. Free some space there, or name a file on another disk',
  EFBIG: 'it grew larger than a file may be there. Name a file on another disk',
};
const WRITE_CALLS = new Set(['write', 'fsync', 'close', 'rename']);

/** Whether there is one that can be looked at. */
export function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * Writes a file, readable by its owner alone, and waits until it is on disk. Throws, leaving none, when there
 * is one or it cannot be made. Of two at once, the one that began last writes it.
 */
export async function writeNewFile(file: string, write: (out: FileHandle) => Promise<void>): Promise<void> {
  const taken = () => new Error(`${file} is there already. Name a new file, or remove it first.`);
  if (await exists(file)) throw taken();
  const draft = `${file}.partial`;
  const out = await openDraft(draft).catch((error: unknown) => {
    const { code = '' } = error as NodeJS.ErrnoException;
    const why = WRITE_FAULTS[code] ?? 'its folder is not there, or nothing may be written in it';
    throw new Error(`${file} cannot be written: ${why}.`, { cause: error });
  });
  const { ino } = await out.stat();
  const isOurs = () =>
    stat(draft).then(
      (there) => there.ino === ino,
      () => false,
    );
  try {
    await write(out);
    await out.sync();
    if (!(await isOurs()))
      throw new Error(
        `${file} was not written: another command has begun to write it since. Wait for that one.`,
      );
    if (await exists(file)) throw taken();
    await out.close();
    await rename(draft, file);
  } catch (error) {
    const mayRemove = await isOurs();
    await out.close().catch(() => {});
    if (mayRemove) await rm(draft, { force: true });
    throw inWords(file, error);
  }
}

/** What a run left that was cut off makes way: it is a file of its own, in which no other run writes on. */
async function openDraft(draft: string): Promise<FileHandle> {
  await rm(draft, { force: true });
  return open(draft, 'wx', 0o600);
}

/** A fault of the file itself in one line; what else went wrong meanwhile stays as it is. */
function inWords(file: string, error: unknown): unknown {
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  if (!WRITE_CALLS.has(syscall)) return error;
  const why = WRITE_FAULTS[code] ?? `the system says ${code}. Check its disk, or name a file on another one`;
  return new Error(`${file} cannot be written: ${why}.`, { cause: error });
}
