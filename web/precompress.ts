// Writes a gzip and a brotli twin beside each built text file, so that the server sends the smaller one without
// compressing anything while people wait.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXT = /\.(js|css|html|svg|json|webmanifest)$/;
const SMALLEST_BYTES = 1024;

export function precompress(): Plugin {
  return {
    name: 'qinbox:precompress',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
        if (!TEXT.test(file.fileName) || source.byteLength < SMALLEST_BYTES) continue;
        const [gz, br] = await Promise.all([
          promisify(gzip)(source, { level: 9 }),
          promisify(brotliCompress)(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        ]);
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gz });
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: br });
      }
    },
  };
}
