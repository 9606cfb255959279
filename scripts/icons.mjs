// `node scripts/icons.mjs`: makes the icons of every size and the preview card for links from
// web/public/favicon.svg. Run it again when the mark, its colours or the tagline change, and commit the files
// it writes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from './parts/project.mjs';

const publicFolder = join(root, 'web', 'public');
const icons = join(publicFolder, 'icons');
const mark = readFileSync(join(publicFolder, 'favicon.svg'), 'utf8');
/** For systems that mask the icon: colour up to the edge, the mark within the middle 80 %. */
const fullBleed = mark
  .replace('viewBox="0 0 32 32"', 'viewBox="-3 -3 38 38"')
  .replace(/<rect[^>]*\/>/, (rect) =>
    rect.replace('width="32" height="32" rx="8"', 'x="-3" y="-3" width="38" height="38"'),
  );
/** For the status bar of Android, which takes the shape alone. */
const shape = mark.replace(/<rect[^>]*\/>/, '').replace('viewBox="0 0 32 32"', 'viewBox="4 4 24 24"');

const tokens = readFileSync(join(root, 'web', 'src', 'ui', 'tokens.css'), 'utf8');
const CARD = `<!doctype html>
<style>${tokens}</style>
<style>
  body { margin: 0; width: 1200px; height: 630px; background: var(--surface-0); color: var(--text-1); display: grid;
    grid-template-columns: 500px 1fr; align-items: center; gap: 60px; padding: 0 80px; box-sizing: border-box;
    font: 26px ui-sans-serif, system-ui, 'DejaVu Sans', sans-serif; }
  .brand { display: flex; align-items: center; gap: 20px; font-weight: 600; font-size: 40px; letter-spacing: -0.01em; }
  .brand svg { width: 72px; }
  h1 { margin: 44px 0 20px; font-size: 78px; line-height: 1.04; letter-spacing: -0.03em; }
  p { margin: 0; color: var(--text-2); line-height: 1.4; }
  ul { margin: 0; padding: 0; list-style: none; background: var(--surface-1); border: 1px solid var(--border-1); border-radius: 24px; overflow: hidden;
    box-shadow: var(--shadow-2); }
  li { display: flex; align-items: center; gap: 20px; padding: 0 28px; height: 88px; position: relative; white-space: nowrap; }
  li::after { content: ''; position: absolute; left: 0; bottom: 0; height: 2px; width: var(--life); background: var(--line, var(--border-2)); }
  li svg { width: 24px; flex: none; }
  li span { margin-left: auto; color: var(--text-3); font-size: 20px; }
</style>
<div>
  <div class="brand">${mark}Qinbox</div>
  <h1>Focus<br>on today</h1>
  <p>One live inbox for what needs attention. The rest is gone after 24&nbsp;hours.</p>
</div>
<ul>
  <li style="--life:100%"><svg viewBox="0 0 14 14"><path d="M7 1.6 13 12H1z" style="fill: var(--danger)"/></svg>Backup of db-2 failed<span>24 h</span></li>
  <li style="--life:92%"><svg viewBox="0 0 14 14"><path d="M7 1.6 13 12H1z" style="fill: var(--danger)"/></svg>CI failed on main<span>22 h</span></li>
  <li style="--life:62%"><svg viewBox="0 0 14 14"><circle cx="7" cy="7" r="4.5" style="fill: var(--info)"/></svg>Invoice 4711 is open<span>15 h</span></li>
  <li style="--life:13%;--line:var(--warn)"><svg viewBox="0 0 14 14"><path d="M2.2 3.2h9.6L7 11.4z" fill="none" style="stroke: var(--muted)" stroke-width="1.6"/></svg>Order new filters<span>3 h</span></li>
</ul>`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

async function take(html, width, height) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(html);
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}
const icon = (svg, size) =>
  take(`<style>body{margin:0}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`, size, size);

try {
  mkdirSync(icons, { recursive: true });
  for (const size of [32, 192, 512]) writeFileSync(join(icons, `icon-${size}.png`), await icon(mark, size));
  writeFileSync(join(icons, 'maskable-512.png'), await icon(fullBleed, 512));
  writeFileSync(join(icons, 'badge-96.png'), await icon(shape, 96));
  writeFileSync(join(icons, 'apple-touch-icon.png'), await icon(fullBleed, 180));
  writeFileSync(join(icons, 'og.png'), await take(CARD, 1200, 630));
} finally {
  await browser.close();
}
