// Writes landing.html beside the app's one page: the same page with the landing screen already drawn in it, so that its text
// is there with the first paint and not after all code has come.
import { join } from 'node:path';
import { runnerImport, type Plugin } from 'vite';
import type { drawLanding } from './src/still-landing.tsx';

const PAGE = 'landing-page';
const ROOT = '<div id="root"></div>';

export function prerender(): Plugin {
  return {
    name: 'qinbox:prerender',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const index = bundle['index.html'];
        const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === PAGE);
        if (index?.type !== 'asset' || chunk?.type !== 'chunk') return this.error('there is no landing page');
        const { module } = await runnerImport<{ drawLanding: typeof drawLanding }>(
          join(import.meta.dirname, 'src', 'still-landing.tsx'),
          { configFile: false, root: import.meta.dirname, logLevel: 'error' },
        );
        const drawn = module.drawLanding();
        if (/\sstyle="/.test(drawn)) this.error('the drawn landing page has a style attribute');
        const styles = [...(chunk.viteMetadata?.importedCss ?? [])].map(
          (file) => `<link rel="stylesheet" crossorigin href="/${file}">`,
        );
        const html = index.source.toString();
        if (!html.includes(ROOT)) this.error(`the page has no ${ROOT}`);
        this.emitFile({
          type: 'asset',
          fileName: 'landing.html',
          source: html
            .replace(ROOT, `<div id="root"><div data-still>${drawn}</div></div>`)
            .replace('</head>', `${styles.join('')}</head>`),
        });
      },
    },
  };
}
