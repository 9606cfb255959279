// A file that a command writes is whole, also where another run writes one of the same name meanwhile.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTempDir } from '#test/helpers/temp.ts';
import { writeNewFile } from './new-file.ts';

/** A run that has written its first half, and writes the second when it is let go on. */
async function halfWritten(file: string, text: string): Promise<() => Promise<string>> {
  const half = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const written = writeNewFile(file, async (out) => {
    await out.writeFile(text);
    half.resolve();
    await goOn.promise;
    await out.writeFile(text);
  }).then(
    () => 'written',
    (error: unknown) => (error as Error).message,
  );
  await half.promise;
  return () => {
    goOn.resolve();
    return written;
  };
}

it.each(['first', 'last'])('is that of the run that began last when the %s ends first', async (ends) => {
  const file = join(createTempDir(), 'backup.jsonl');
  const first = await halfWritten(file, 'one');
  const last = await halfWritten(file, 'second');
  const lost = /^\S+ (was not written: another command|is there already)/;
  if (ends === 'first') expect(await first()).toMatch(lost);
  expect(await last()).toBe('written');
  expect(await first()).toMatch(lost);
  expect(readFileSync(file, 'utf8')).toBe('secondsecond');
  expect(existsSync(`${file}.partial`)).toBe(false);
});

it('is not put over one that came meanwhile', async () => {
  const file = join(createTempDir(), 'backup.jsonl');
  const run = await halfWritten(file, 'one');
  writeFileSync(file, 'mine');
  expect(await run()).toContain('is there already');
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(existsSync(`${file}.partial`)).toBe(false);
});

it('takes the place of what a run left that was cut off', async () => {
  const file = join(createTempDir(), 'backup.jsonl');
  writeFileSync(`${file}.partial`, 'what is longer than the next');
  await writeNewFile(file, (out) => out.writeFile('text'));
  expect(readFileSync(file, 'utf8')).toBe('text');
});
