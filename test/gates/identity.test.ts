// The mark, its icons and the colours hold together: every icon is there in the size it is said to have, text
// can be read in both themes, and no colour is written twice with two values.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { root } from '#test/program/program.ts';

const read = (...path: string[]) => readFileSync(join(root, 'web', ...path), 'utf8');
const html = read('index.html');
const manifest = JSON.parse(read('public', 'manifest.webmanifest')) as {
  theme_color: string;
  background_color: string;
  start_url: string;
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
};

/** Width and height from the header of the PNG. */
function pngSize(path: string): string {
  const png = readFileSync(join(root, 'web', 'public', path));
  expect(png.toString('latin1', 1, 4), path).toBe('PNG');
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}

describe('icons', () => {
  const links = [
    ...html.matchAll(/<link rel="(?:icon|apple-touch-icon)" href="([^"]+)"[^>]*?(?:sizes="([^"]+)")? \/>/g),
  ].map(([, src = '', sizes = 'any']) => ({ src, sizes }));
  const card = {
    src: /property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '',
    sizes: ['width', 'height']
      .map((side) => new RegExp(`og:image:${side}" content="(\\d+)"`).exec(html)?.[1])
      .join('x'),
  };

  it.each([...links, card, ...manifest.icons])('$src is there as $sizes', ({ src, sizes }) => {
    if (src.endsWith('.svg')) expect(read('public', src)).toContain('<svg');
    else expect(pngSize(src)).toBe(sizes);
  });

  it('are all that an installed app needs: 192, 512, and one to be cut into a shape', () => {
    expect(links.length).toBe(3);
    expect(manifest.icons.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual(
      expect.arrayContaining(['192x192 any', '512x512 any', '512x512 maskable']),
    );
  });

  it('are the mark of the app itself', () => {
    const shapes = (source: string) =>
      [...source.matchAll(/(?:\bd|cx|cy|\br)="([^"]+)"/g)].map(([, value]) => value);
    expect(shapes(read('public', 'favicon.svg'))).toEqual(shapes(read('src', 'ui', 'brand.tsx')));
  });
});

type Tokens = ReadonlyMap<string, string>;

const css = read('src', 'ui', 'tokens.css');

function tokensAfter(selector: string): Tokens {
  const from = css.indexOf('{', css.indexOf(selector)) + 1;
  const declared = css.slice(from, css.indexOf('}', from)).matchAll(/--([\w-]+):\s*([^;]+);/g);
  return new Map([...declared].map(([, name = '', value = '']) => [name, value]));
}

const light = tokensAfter(':root {');
const dark = tokensAfter(":root[data-theme='dark'] {");

/** Linear sRGB of an OKLCH colour, by way of OKLab (CSS Color 4). */
function linearRgb(value: string): [number, number, number] {
  const [, l = NaN, c = NaN, h = NaN] = (/^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(value) ?? []).map(
    Number,
  );
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const inGamut = (channel: number) => Math.min(1, Math.max(0, channel));
  return [
    inGamut(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z),
    inGamut(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z),
    inGamut(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z),
  ];
}

function hex(value: string): string {
  const channels = linearRgb(value).map((channel) => {
    const encoded = channel <= 0.0031308 ? 12.92 * channel : 1.055 * channel ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/** WCAG 2.2. */
function contrast(tokens: Tokens, front: string, back: string): number {
  const [darker = 0, lighter = 0] = [front, back]
    .map((name) => {
      const [red, green, blue] = linearRgb(tokens.get(name) ?? '');
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .toSorted((one, other) => one - other);
  return (lighter + 0.05) / (darker + 0.05);
}

const SURFACES = ['surface-0', 'surface-1', 'surface-2'];
/** What text is written in, and on what. */
const TEXT: Record<string, string[]> = {
  'text-1': [...SURFACES, 'surface-3', 'accent-soft', 'danger-soft', 'warn-soft'],
  'text-2': [...SURFACES, 'surface-3', 'accent-soft'],
  'text-3': SURFACES,
  accent: [...SURFACES, 'accent-soft'],
  danger: [...SURFACES, 'danger-soft'],
  warn: [...SURFACES, 'warn-soft'],
  ok: SURFACES,
  info: SURFACES,
  'on-accent': ['accent', 'accent-strong'],
};
const MARKS: Record<string, string[]> = {
  muted: SURFACES,
  focus: SURFACES,
  'border-2': ['surface-0', 'surface-1'],
};

describe('colours', () => {
  test.each([
    ['light', light],
    ['dark', dark],
  ])('%s: text has a contrast of at least 4.5, marks of at least 3', (_theme, tokens) => {
    const tooLittle = [...Object.entries(TEXT), ...Object.entries(MARKS)].flatMap(([front, backs]) => {
      const least = front in TEXT ? 4.5 : 3;
      return backs.flatMap((back) => {
        const found = contrast(tokens, front, back);
        return found >= least ? [] : [`${front} on ${back}: ${found.toFixed(2)} of ${least}`];
      });
    });
    expect(tooLittle).toEqual([]);
  });

  it('a chosen dark theme and that of a dark system are one', () => {
    expect(dark.size).toBeGreaterThan(20);
    expect([...tokensAfter(":root:not([data-theme='light']) {")]).toEqual([...dark]);
  });

  it('the frame that a browser draws around the app is of the app’s own surface', () => {
    const stated = (theme: string) =>
      new RegExp(`theme-color" media="\\(prefers-color-scheme: ${theme}\\)" content="([^"]+)"`).exec(
        html,
      )?.[1];
    const [day, night] = [light, dark].map((tokens) => hex(tokens.get('surface-0') ?? ''));
    expect([stated('light'), stated('dark')]).toEqual([day, night]);
    expect([manifest.theme_color, manifest.background_color]).toEqual([day, day]);
    expect(read('public', 'favicon.svg')).toContain(`fill="${hex(light.get('accent') ?? '')}"`);
  });
});
