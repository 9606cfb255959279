// What every picture of the documentation stands in: its size, title, colours and arrow heads.
import { escape, INKS, type THEME_NAMES, THEMES } from '../architecture.ts';

export type Theme = (typeof THEME_NAMES)[number];

/** A whole SVG document of `size` with these elements. */
export function frame(
  theme: Theme,
  [width, height]: [number, number],
  title: string,
  inside: string[],
): string {
  const { page, arrow } = THEMES[theme];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title"`,
    `  font-family="ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="14" fill="${INKS[theme].text}">`,
    `<title id="title">${escape(title)}</title>`,
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">`,
    `<path d="M0 0.5 8 4 0 7.5z" fill="${arrow}"/></marker></defs>`,
    `<rect width="${width}" height="${height}" rx="12" fill="${page}"/>`,
    ...inside,
    `</svg>\n`,
  ].join('\n');
}
