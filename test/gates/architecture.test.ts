// The picture in docs/architecture.md is true: its rooms are the folders, its arrows the imports, its steps
// name files that exist, and the drawings are made of the same data. The glossary stays short, and the
// documents show every picture.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '#test/program/program.ts';
import { draw, folder, readRooms, THEME_NAMES } from '../../scripts/architecture.ts';

const MAX_TERMS = 25;
const { rooms, imports, path, senders } = readRooms();
const names = rooms.map(({ name }) => name);
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
const code = tracked.filter(
  (file) =>
    /^(api|web|cli|core|adapters)\/.*\.(ts|tsx|mjs)$/.test(file) &&
    !/\.test\.tsx?$|\/fixtures\/|^web\/test\//.test(file) &&
    existsSync(join(root, file)),
);

/**
 * The room of a file: a folder at the root, or the folder below core or adapters, in which files of their own
 * have none.
 */
function roomsOf(file: string): { outer: string; inner: string | null } {
  const [outer = '', second = '', third] = file.split('/');
  const isDeep = (outer === 'core' || outer === 'adapters') && third !== undefined;
  return { outer, inner: isDeep ? `${outer}/${second}` : null };
}

/** Each pair of rooms of which one imports the other, as "from → to". */
function importsOf(files: readonly string[]): Set<string> {
  const pairs = new Set<string>();
  for (const file of files)
    for (const [, specifier = ''] of read(file).matchAll(/(?:from|import)\s*\(?\s*'([#.][^']+)'/g)) {
      const target = specifier.startsWith('#')
        ? specifier.slice(1)
        : normalize(join(dirname(file), specifier));
      // package.json is in no room.
      if (!target.includes('/')) continue;
      const [from, to] = [roomsOf(file), roomsOf(target)];
      if (from.outer !== to.outer) pairs.add(`${from.outer} → ${to.outer}`);
      else if (from.inner !== null && to.inner !== null && from.inner !== to.inner)
        pairs.add(`${from.inner} → ${to.inner}`);
    }
  return pairs;
}

/** How arrows and imports differ, a line for each difference. */
function differences(arrows: readonly { from: string; to: string }[], real: ReadonlySet<string>): string[] {
  const drawn = new Set(arrows.map(({ from, to }) => `${from} → ${to}`));
  return [
    ...[...drawn].filter((pair) => !real.has(pair)).map((pair) => `drawn, but not imported: ${pair}`),
    ...[...real].filter((pair) => !drawn.has(pair)).map((pair) => `imported, but not drawn: ${pair}`),
  ];
}

describe('the picture of the rooms', () => {
  const real = importsOf(code);

  it('has a room for each folder, and none besides', () => {
    const found = new Set(code.flatMap((file) => Object.values(roomsOf(file))).filter((one) => one !== null));
    expect(names.toSorted()).toEqual([...found].toSorted());
  });

  it('has an arrow for what imports what, and none besides', () => {
    expect(differences(imports, real)).toEqual([]);
  });

  it('would not hold with a wrong arrow, or without one', () => {
    expect(differences([...imports, { from: 'core', to: 'adapters' }], real)).toEqual([
      'drawn, but not imported: core → adapters',
    ]);
    expect(differences(imports.slice(1), real)).toEqual(['imported, but not drawn: web → core']);
  });

  it('draws each arrow from the edge of its room to the edge of the other', () => {
    const touches = (name: string, [x = 0, y = 0]: readonly number[]) => {
      const [left = 0, top = 0, width = 0, height = 0] = rooms.find((one) => one.name === name)?.box ?? [];
      return (
        ((x === left || x === left + width) && y >= top && y <= top + height) ||
        ((y === top || y === top + height) && x >= left && x <= left + width)
      );
    };
    for (const { from, to, line } of imports) {
      expect(touches(from, line[0] ?? []), `${from} → ${to} begins at ${from}`).toBe(true);
      expect(touches(to, line.at(-1) ?? []), `${from} → ${to} ends at ${to}`).toBe(true);
    }
  });

  it('names files of the path of a task that exist', () => {
    expect(path.filter(({ file }) => !existsSync(join(root, file)))).toEqual([]);
  });

  it.each(THEME_NAMES)('is drawn from the data of now: %s', (theme) => {
    const drawn = readFileSync(join(folder, `rooms-${theme}.svg`), 'utf8');
    expect(drawn, 'run `node scripts/architecture.ts`').toBe(draw({ rooms, imports, path, senders }, theme));
    expect(read('docs/architecture.md')).toContain(`architecture/rooms-${theme}.svg`);
  });
});

describe('the documents', () => {
  const architecture = read('docs/architecture.md');

  it(`explain at most ${MAX_TERMS} terms`, () => {
    const glossary = /\n## Glossary\n([^]*?)\n## /.exec(architecture)?.[1] ?? '';
    const terms = [...glossary.matchAll(/^\| \*\*(.+?)\*\*/gm)].map(([, term]) => term);
    expect(terms.length).toBeGreaterThan(15);
    expect(terms.length).toBeLessThanOrEqual(MAX_TERMS);
    expect(new Set(terms).size).toBe(terms.length);
  });

  it('name only files that exist in architecture.md', () => {
    const named = [
      ...architecture.matchAll(/`((?:api|web|cli|core|adapters|test|scripts|docs)\/[^`\s{}*…<]+)`/g),
    ];
    expect(named.length).toBeGreaterThan(20);
    expect(
      named
        .map(([, file = '']) => file)
        .filter((file) => !file.includes('NAME') && !existsSync(join(root, file))),
    ).toEqual([]);
  });

  it('show every picture in docs/screens', () => {
    const pages = tracked.filter((file) => /^(README\.md|docs\/.*\.md)$/.test(file)).map(read);
    const pictures = readdirSync(join(root, 'docs', 'screens'));
    expect(pictures.filter((name) => !pages.some((page) => page.includes(`screens/${name}`)))).toEqual([]);
  });
});
