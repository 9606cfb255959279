// The documentation as a site: every page of the list drawn, with its neighbours, and the pictures and files
// that pages name.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, normalize, relative } from 'node:path';
import { addressOf, CONTENTS, readContents, type Entry, type Group } from './contents.ts';
import { draw, type Drawn, type Targets } from './markdown.ts';

export interface Page extends Drawn {
  file: string;
  address: string;
  title: string;
  /** The first sentences, for lists of search engines. */
  description: string;
  group: string | null;
  /** The address of the page that it stands below in the list. */
  below: string | null;
}

export interface Site {
  groups: Group[];
  /** In the order of reading; the first one is the list itself. */
  pages: Page[];
  /** Pictures and files, by their path below `/docs/assets/`. */
  assets: Map<string, Buffer>;
}

const DESCRIPTION_CHARACTERS = 155;

/** Reads and draws all pages; throws for a link inside of them that leads nowhere. */
export function readSite(root: string): Site {
  const groups = readContents(root);
  const titles = new Map([
    [CONTENTS, 'Documentation'],
    ...groups.flatMap(({ entries }) => entries.map(({ file, title }): [string, string] => [file, title])),
  ]);
  const assets = new Map<string, Buffer>();
  const page = (entry: Entry, group: string | null): Page => {
    const source = readFileSync(join(root, entry.file), 'utf8');
    const drawn = inFile(entry.file, () =>
      draw(source, targetsOf(root, entry.file, titles, assets), entry.file === CONTENTS),
    );
    const { sections } = drawn;
    return {
      ...drawn,
      file: entry.file,
      address: addressOf(entry.file),
      title: entry.title,
      description: shortened(sections.find(({ text }) => text !== '')?.text ?? entry.title),
      group,
      below: entry.below === null ? null : addressOf(entry.below),
    };
  };
  const start = page({ file: CONTENTS, title: 'Documentation', below: null }, null);
  const others = groups.flatMap(({ title, entries }) => entries.map((entry) => page(entry, title)));
  return { groups, pages: [start, ...others], assets };
}

function inFile<T>(file: string, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function targetsOf(
  root: string,
  file: string,
  pages: ReadonlyMap<string, string>,
  assets: Map<string, Buffer>,
): Targets {
  const pathOf = (href: string) => normalize(join(dirname(file), decodeURI(href)));
  const asset = (path: string) => {
    const bytes = readFileSync(join(root, path));
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const extension = extname(path);
    const name = `${relative('docs', path).replaceAll('/', '-').slice(0, -extension.length)}-${hash}${extension}`;
    assets.set(name, bytes);
    return { src: `/docs/assets/${name}`, bytes };
  };
  return {
    link(href) {
      if (href.startsWith('#')) return { address: href };
      const [to = '', anchor] = href.split('#');
      const path = pathOf(to).replace(/\/$/, '');
      if (!existsSync(join(root, path))) throw new Error(`there is no ${path}`);
      const page = statSync(join(root, path)).isDirectory() ? `${path}/README.md` : path;
      const title = pages.get(page);
      if (title !== undefined)
        return { title, address: addressOf(page) + (anchor === undefined ? '' : `#${anchor}`) };
      return path.startsWith('docs/') && extname(path) !== '.md' ? { address: asset(path).src } : null;
    },
    picture(href) {
      const { src, bytes } = asset(pathOf(href));
      return { src, ...sizeOf(bytes) };
    },
  };
}

/** Of a PNG or an SVG, in CSS pixels. */
function sizeOf(bytes: Buffer): { width: number; height: number } {
  if (bytes.toString('latin1', 1, 4) === 'PNG')
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  const box = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(bytes.toString('utf8', 0, 1000));
  if (box === null) throw new Error('a picture has no size');
  return { width: Number(box[1]), height: Number(box[2]) };
}

function shortened(text: string): string {
  if (text.length <= DESCRIPTION_CHARACTERS) return text;
  return `${text.slice(0, text.lastIndexOf(' ', DESCRIPTION_CHARACTERS))} …`;
}

/** What the search looks through: pages with their sections, without marks. */
export function searchIndex({ pages }: Site): string {
  return JSON.stringify(
    pages
      .filter(({ file }) => file !== CONTENTS)
      .map(({ address, title, group, sections }) => ({
        address,
        title,
        group,
        sections: sections.map(({ id, heading, text }) => [id, heading, text]),
      })),
  );
}
