// Writes two more pages: landing.html with the drawn landing screen, so that its text is there with the first
// paint, and inbox.html, which names all code of the inbox, so that it is fetched at once.
import { join } from 'node:path';
import { runnerImport, type Plugin, type Rolldown } from 'vite';
import type { drawLanding } from './src/prerendered-landing.tsx';

type OutputBundle = Rolldown.OutputBundle;
type OutputChunk = Rolldown.OutputChunk;

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
        const landing = chunkOf(bundle, 'landing-page');
        const inbox = chunkOf(bundle, 'inbox-page');
        if (index?.type !== 'asset' || landing === undefined || inbox === undefined)
          return this.error('there is no page, no landing screen or no inbox');
        const { module } = await runnerImport<{ drawLanding: typeof drawLanding }>(
          join(import.meta.dirname, 'src', 'prerendered-landing.tsx'),
          { configFile: false, root: import.meta.dirname, logLevel: 'error' },
        );
        const drawn = module.drawLanding();
        if (/\sstyle="/.test(drawn)) this.error('the drawn landing page has a style attribute');
        const html = index.source.toString();
        if (!html.includes(ROOT)) this.error(`the page has no ${ROOT}`);
        const named = (links: readonly string[]) =>
          html.replace('</head>', `${links.filter((link) => !html.includes(link)).join('')}</head>`);
        this.emitFile({
          type: 'asset',
          fileName: 'inbox.html',
          source: named(
            closure(bundle, inbox).flatMap((chunk) => [
              `<link rel="modulepreload" crossorigin href="/${chunk.fileName}">`,
              ...stylesOf(chunk),
            ]),
          ),
        });
        this.emitFile({
          type: 'asset',
          fileName: 'landing.html',
          source: named(stylesOf(landing)).replace(
            ROOT,
            `<div id="root"><div data-still>${drawn}</div></div>`,
          ),
        });
      },
    },
  };
}

function chunkOf(bundle: OutputBundle, name: string): OutputChunk | undefined {
  return Object.values(bundle).find((file) => file.type === 'chunk' && file.name === name) as
    | OutputChunk
    | undefined;
}

/** The chunk and all that it imports before it can run. */
function closure(bundle: OutputBundle, chunk: OutputChunk): OutputChunk[] {
  const found = new Set([chunk]);
  for (const { imports } of found)
    for (const file of imports) {
      const imported = bundle[file];
      if (imported?.type === 'chunk') found.add(imported);
    }
  // What the page runs itself is named there as a script.
  return [...found].filter(({ isEntry }) => !isEntry);
}

function stylesOf(chunk: OutputChunk): string[] {
  return [...(chunk.viteMetadata?.importedCss ?? [])].map(
    (file) => `<link rel="stylesheet" crossorigin href="/${file}">`,
  );
}
