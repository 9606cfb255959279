// Writes a gzip and a brotli file beside each built text file, so that the server compresses nothing on
// request. Runs on the files on disk, since bundles are rewritten before that.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|html|svg|json|webmanifest)$/;
const SMALLEST_BYTES = 1024;

async function writeTwins(path: string): Promise<void> {
  const source = await readFile(path);
  if (source.byteLength < SMALLEST_BYTES) return;
  const [gz, br] = await Promise.all([
    promisify(gzip)(source, { level: 9 }),
    promisify(brotliCompress)(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  ]);
  await Promise.all([writeFile(`${path}.gz`, gz), writeFile(`${path}.br`, br)]);
}

export function precompress(): Plugin {
  return {
    name: 'qinbox:precompress',
    apply: 'build',
    enforce: 'post',
    writeBundle: {
      order: 'post',
      async handler({ dir = 'dist' }) {
        const files = await readdir(dir, { recursive: true });
        await Promise.all(files.filter((file) => TEXT.test(file)).map((file) => writeTwins(join(dir, file))));
      },
    },
  };
}
