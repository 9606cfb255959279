// Writes three more pages with their screens drawn, so that they are there with the first paint:
// landing.html, api-docs.html, and inbox.html as far as it is the same for everybody. Each names all code
// of its screen, which is fetched once that is seen.
import { join } from 'node:path';
import { runnerImport, type Plugin, type Rolldown } from 'vite';
import type * as Prerendered from './src/prerendered.tsx';

type OutputBundle = Rolldown.OutputBundle;
type OutputChunk = Rolldown.OutputChunk;

const ROOT = '<div id="root"></div>';
const CODE_TAG = /<(script type="module"|link rel="modulepreload")([^>]*>(?:<\/script>)?)/g;

/** The page of each screen, by the name of its chunk. */
const PAGES: Record<string, { file: string; draw: keyof typeof Prerendered }> = {
  'landing-page': { file: 'landing.html', draw: 'drawLanding' },
  'api-docs-page': { file: 'api-docs.html', draw: 'drawApiDocs' },
  'inbox-page': { file: 'inbox.html', draw: 'drawInbox' },
};

export function prerender(): Plugin {
  return {
    name: 'qinbox:prerender',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const index = bundle['index.html'];
        if (index?.type !== 'asset') return this.error('there is no page');
        const html = index.source.toString();
        if (!html.includes(ROOT)) this.error(`the page has no ${ROOT}`);
        const { module } = await runnerImport<typeof Prerendered>(
          join(import.meta.dirname, 'src', 'prerendered.tsx'),
          { configFile: false, root: import.meta.dirname, logLevel: 'error' },
        );
        for (const [name, { file, draw }] of Object.entries(PAGES)) {
          const chunk = chunkOf(bundle, name);
          if (chunk === undefined) return this.error(`there is no ${name}`);
          // Who is signed in does not see pages that are not for them, not even for a moment.
          const forWhom = draw === 'drawInbox' ? 'everybody' : 'strangers';
          const first = forWhom === 'everybody' ? firstCodeOf(bundle) : '';
          const links = linksOf(closure(bundle, chunk)).filter(
            (link) => !(html + first).includes(fileIn(link)),
          );
          const page = html.replace('</head>', `${links.join('')}</head>`);
          const drawn = module[draw]();
          if (/\sstyle="/.test(drawn)) this.error(`${file} has a style attribute`);
          this.emitFile({ type: 'asset', fileName: file, source: withScreen(page, drawn, forWhom, first) });
        }
      },
    },
  };
}

/**
 * The page with a screen in it. What is seen first needs the styles alone, and `first`: all other code is
 * fetched once the page is seen, which public/theme.js does.
 */
function withScreen(page: string, drawn: string, forWhom: 'everybody' | 'strangers', first: string): string {
  const whole = page.replace(ROOT, `<div id="root"><div data-still="${forWhom}">${drawn}</div></div>`);
  const tags = [...whole.matchAll(CODE_TAG)]
    .map(([tag]) => tag)
    .filter((tag) => !first.includes(fileIn(tag)));
  const rest = whole.replaceAll(CODE_TAG, '');
  return rest.replace('</head>', `${first}<template id="code">${tags.join('')}</template></head>`);
}

/** The address that a tag names. */
function fileIn(tag: string): string {
  return /(?:src|href)="([^"]+)"/.exec(tag)?.[1] ?? tag;
}

/** The tags of the code that draws the first list. */
function firstCodeOf(bundle: OutputBundle): string {
  const chunk = chunkOf(bundle, 'first-paint');
  if (chunk === undefined) throw new Error('there is no first-paint');
  const script = `<script type="module" crossorigin src="/${chunk.fileName}"></script>`;
  return [script, ...linksOf(closure(bundle, chunk))].join('');
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

function linksOf(chunks: readonly OutputChunk[]): string[] {
  return chunks.flatMap((chunk) => [
    `<link rel="modulepreload" crossorigin href="/${chunk.fileName}">`,
    ...[...(chunk.viteMetadata?.importedCss ?? [])].map(
      (file) => `<link rel="stylesheet" crossorigin href="/${file}">`,
    ),
  ]);
}
