// The documentation holds together: each page is in the list, no link is dead, on a file host and in the app
// alike, and what is drawn is what the script draws.
import { existsSync, readdirSync, readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCREENS } from '#core/contract/screens.ts';
import { ERROR_TABLE } from '#core/errors.ts';
import { createTempDir } from '#test/helpers/temp.ts';
import { root } from '#test/program/program.ts';
import { PICTURES } from '../../scripts/pictures.ts';
import { THEME_NAMES } from '../../scripts/architecture.ts';
import { find, type IndexedPage } from '../../web/docs/client/find.ts';
import { CONTENTS } from '../../web/docs/contents.ts';
import { draw, type Targets } from '../../web/docs/markdown.ts';
import { drawPage } from '../../web/docs/page.ts';
import { readSite, searchIndex } from '../../web/docs/site.ts';

/** For those who change the code, not for those who read about it. */
const LEFT_OUT = ['docs/spec-coverage.md'];

const site = readSite(root);
const files = site.pages.map(({ file }) => file);
const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => join('docs', file));
const named = {
  styles: ['/docs/assets/s.css'],
  script: '/docs/assets/s.js',
  search: '/s.json',
  version: '1',
};
const documents = new Map(site.pages.map((page) => [page.address, drawPage(site, page, named)]));

describe('the list of pages', () => {
  it(`is ${CONTENTS}: it has every page of docs once, in a group, and only those that are there`, () => {
    expect(inDocs.filter((file) => !files.includes(file) && !LEFT_OUT.includes(file))).toEqual([]);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
    expect(site.pages.filter(({ group, file }) => group === null && file !== CONTENTS)).toEqual([]);
    expect(new Set(documents.keys()).size).toBe(files.length);
  });
});

const NOWHERE: Targets = { link: () => null, picture: () => ({ src: '', width: 1, height: 1 }) };
const headingsOf = (file: string) =>
  draw(readFileSync(join(root, file), 'utf8'), NOWHERE, false).headings.map(({ id }) => id);

/** Links of a file of markdown, without those in code. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/^ *```[^]*?^ *```/gm, '').replaceAll(/`[^`\n]+`/g, 'code');
  return [
    ...[...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href),
    ...[...prose.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, href = '']) => href),
  ];
}

it('the page of settings is .env.example, word for word', () => {
  const [, shown] = /```ini\n([^]*?)```/.exec(readFileSync(join(root, 'docs/settings.md'), 'utf8')) ?? [];
  expect(shown).toBe(readFileSync(join(root, '.env.example'), 'utf8'));
});

describe('on a file host', () => {
  const others = ['README.md', 'adapters/ingestion/slack/README.md', 'adapters/ingestion/smtp/README.md'];
  it.each([...others, 'adapters/ingestion/webhook/README.md', ...files, ...LEFT_OUT])(
    '%s has no dead link',
    (file) => {
      const dead = linksOf(readFileSync(join(root, file), 'utf8'))
        .filter((href) => !/^(https?|mailto):/.test(href))
        .filter((href) => {
          const [to = '', anchor] = href.split('#');
          const path = to === '' ? file : normalize(join(dirname(file), decodeURI(to)));
          if (!existsSync(join(root, path))) return true;
          return anchor !== undefined && !(path.endsWith('.md') && headingsOf(path).includes(anchor));
        });
      expect(dead).toEqual([]);
    },
  );

  it('a link to nothing would be found', () => {
    expect(linksOf('[a](b.md#c) `[d](e.md)`\n```\n[f](g.md)\n```\n<img src="h.png">')).toEqual([
      'b.md#c',
      'h.png',
    ]);
  });
});

describe('in the app', () => {
  const idsOf = (html: string) => [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);
  /** Served beside pages and screens. */
  const STATIC = /^\/(favicon\.svg|theme\.js|manifest\.webmanifest|icons\/.+|docs\/assets\/s\..+|s\.json)$/;

  it.each([...documents])('%s leads nowhere that is not', (address, html) => {
    const ids = idsOf(html);
    expect(new Set(ids).size).toBe(ids.length);
    const dead = [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
      .map(([, href = '']) => href)
      .filter((href) => !/^(https?|mailto):/.test(href))
      .filter((href) => {
        const [to = '', anchor] = href.split('#');
        if (STATIC.test(to) || (SCREENS as readonly string[]).includes(to)) return false;
        if (to.startsWith('/docs/assets/')) return !site.assets.has(to.slice('/docs/assets/'.length));
        const page = documents.get(to === '' ? address : to);
        return page === undefined || (anchor !== undefined && !idsOf(page).includes(anchor));
      });
    expect(dead).toEqual([]);
  });

  it.each([...documents])(
    '%s has one title, no gap in its headings, and nothing that the policy refuses',
    (_, html) => {
      const depths = [...html.matchAll(/<h(\d)/g)].map(([, depth]) => Number(depth));
      expect(depths[0]).toBe(1);
      expect(depths.filter((depth) => depth === 1)).toHaveLength(1);
      for (const [at, depth] of depths.entries())
        expect(depth - (depths[at - 1] ?? 0)).toBeLessThanOrEqual(1);
      expect(html).not.toMatch(/\sstyle=|\son\w+="|<style|javascript:/);
      expect(html.match(/<script/g)).toHaveLength(2);
    },
  );

  it('every error that the API answers has its place', () => {
    const ids = idsOf(documents.get('/docs/errors') ?? '');
    expect(ids).toEqual(expect.arrayContaining(Object.keys(ERROR_TABLE).map((code) => code.toLowerCase())));
  });
});

describe('a page', () => {
  const drawn = (text: string) => draw(text, NOWHERE, false).html;

  it.each([
    '<script>x</script>',
    'a <b onclick="x">c</b>',
    '<img src="a.png" alt="" onerror="x">',
    '```mermaid\na\n```',
  ])('is refused with %j in it', (text) => {
    expect(() => drawn(text)).toThrow(/not allowed|not mermaid/);
  });

  it('shows markup as text, and names headings as file hosts do', () => {
    const { html, headings } = draw('# `a` & B, c!\n\n## x\n\n## x\n\n`<b>` & "q"\n', NOWHERE, false);
    expect(headings.map(({ id }) => id)).toEqual(['a--b-c', 'x', 'x-1']);
    expect(html).toContain('<code translate="no">&lt;b&gt;</code> &amp; &quot;q&quot;');
    expect(html).not.toContain('<b>');
  });

  it('colours code without changing it', () => {
    const code = "curl -H 'a: <b>' \"$X\" # it's & all\n";
    const html = drawn('```sh run\n' + code + '```\n');
    expect(html).toContain('<span class="of-comment"># it&#39;s &amp; all</span>');
    const text = /<code>([^]*)<\/code>/.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, '');
    expect(text).toBe(
      code
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll("'", '&#39;')
        .replaceAll('"', '&quot;'),
    );
  });

  it('stops the build with a link to what is not there', () => {
    const folder = createTempDir();
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, CONTENTS), '# D\n\n## G\n\n- [A](a.md): a\n');
    writeFileSync(join(folder, 'docs', 'a.md'), '# A\n\n[b](b.md)\n');
    expect(() => readSite(folder)).toThrow('docs/a.md: there is no docs/b.md');
  });
});

describe('the search', () => {
  const pages = JSON.parse(searchIndex(site)) as IndexedPage[];

  it.each([
    ['quiet hours', '/docs/notifications#quiet-hours-do-not-disturb'],
    ['RATE_LIMITED', '/docs/errors#rate_limited'],
    ['kubernetes', '/docs/deploy#kubernetes'],
    ['CORS_ORIGINS', '/docs/settings'],
    ['getting start', '/docs/getting-started'],
  ])('finds %j first at %s', (asked, address) => {
    expect(find(pages, asked)[0]?.address).toBe(address);
  });

  it('has each word that was asked for, marks it, and says nothing of what is not there', () => {
    const found = find(pages, 'dedupe snoozed');
    expect(found.length).toBeGreaterThan(0);
    for (const { excerpt } of found) expect(excerpt.some(({ mark }) => mark)).toBe(true);
    expect(find(pages, 'dedupe xylophone')).toEqual([]);
    expect(find(pages, '  ')).toEqual([]);
    expect(find(pages, '.*(')).toEqual([]);
  });
});

describe('pictures', () => {
  it.each(Object.entries(PICTURES))(
    '%s is what scripts/pictures.ts draws, in both themes',
    (name, drawing) => {
      for (const theme of THEME_NAMES)
        expect(readFileSync(join(root, 'docs', 'pictures', `${name}-${theme}.svg`), 'utf8')).toBe(
          drawing(theme),
        );
    },
  );
});
