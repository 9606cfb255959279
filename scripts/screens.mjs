// `npm run screens`: takes a picture of every screen, on the real program with a day of tasks in it, and puts
// them into `screens/`, which git ignores; the ten that the documents show also go to docs/screens. `npm run
// screens -- inbox settings` takes only these. The program listens on a free port, which the browser reaches
// as localhost:3000, so that the commands on the screens are those of a new install.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, startProgram, temporaryFolder } from '#test/program/program.ts';
import { hasChromium, launchBrowser, waitUntilLive, WHY_NOT } from '#test/e2e/browser.ts';
import { fillSampleDay } from '#test/sample/day.mjs';
import { fail, root } from './parts/project.mjs';

const DEVICES = {
  phone: { viewport: { width: 360, height: 760 }, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 } },
};
const THEMES = ['light', 'dark'];
const SHOWN_URL = 'http://localhost:3000';
/** A server on the same machine needs no network, so that being offline is seen only elsewhere. */
const ELSEWHERE_URL = 'http://qinbox.example';
const folder = join(root, 'screens');
/** The pictures that README.md and docs/ show. */
const SHOWN = new Set([
  ...[
    'inbox-open-desktop-light',
    'inbox-desktop-light',
    'inbox-desktop-dark',
    'inbox-phone-light',
    'inbox-offline-phone-light',
  ],
  ...['intake-gallery-desktop-light', 'intake-deliveries-desktop-light', 'intake-mapping-desktop-light'],
  ...['settings-desktop-light', 'system-desktop-light', 'api-docs-desktop-light'],
]);

const MIRA = 'mira@example.com';
/** What each picture shows: who looks at which address, and what is done there before. */
const SCREENS = {
  landing: { path: '/' },
  inbox: { path: '/inbox', as: MIRA, ready: rows },
  'inbox-end': { path: '/inbox', as: MIRA, ready: rows, act: toEnd },
  'inbox-filtered': { path: '/inbox?priority=high', as: MIRA, ready: rows },
  'inbox-selected': { path: '/inbox', as: MIRA, ready: rows, act: select },
  'inbox-empty': { path: '/inbox', as: 'done@example.com', ready: heading('Queue is empty') },
  'inbox-first-visit': { path: '/inbox', as: 'new@example.com', ready: heading('Queue is empty') },
  'inbox-demo': { path: '/inbox', ready: rows },
  'inbox-offline': { path: '/inbox', as: MIRA, elsewhere: true, ready: rows, act: offline },
  offline: { path: '/api-docs', elsewhere: true, act: offline },
  acknowledged: { path: '/inbox?view=acknowledged', as: MIRA, ready: button(/^Restore:/) },
  'add-dialog': { path: '/inbox', as: MIRA, ready: rows, act: add },
  'inbox-open': { path: '/inbox', as: MIRA, ready: rows, act: details },
  'inbox-search': { path: '/inbox', as: MIRA, ready: rows, act: search },
  'inbox-by-source': { path: '/inbox?order=source', as: MIRA, ready: rows },
  'inbox-no-match': { path: '/inbox?q=%23nas-2+boiler', as: MIRA, ready: heading('Nothing found') },
  'view-menu': { path: '/inbox?order=priority', as: MIRA, ready: rows, act: viewMenu },
  views: { path: '/inbox?q=%23ops', as: MIRA, ready: rows, act: dialogBy('v') },
  tags: { path: '/inbox', as: MIRA, ready: rows, act: tags },
  snooze: { path: '/inbox', as: MIRA, ready: rows, act: snooze },
  'row-menu': { path: '/inbox', as: MIRA, ready: rows, act: rowMenu },
  shortcuts: { path: '/inbox', as: MIRA, ready: rows, act: dialogBy('?') },
  palette: { path: '/inbox', as: MIRA, ready: rows, act: dialogBy('Control+k') },
  profile: { path: '/inbox', as: MIRA, ready: rows, act: profile },
  'sign-in': { path: '/api-docs', act: signIn },
  settings: { path: '/admin', as: MIRA, ready: button(/^Revoke/) },
  'settings-key': { path: '/admin', as: MIRA, ready: button(/^Revoke/), act: keyOptions },
  appearance: { path: '/admin/appearance', as: MIRA },
  notifications: { path: '/admin/notifications', as: MIRA },
  escalation: { path: '/admin/escalation', as: MIRA, ready: text('A good first one') },
  webhooks: { path: '/admin/webhooks', as: MIRA },
  keyboard: { path: '/admin/keyboard', as: MIRA },
  slack: { path: '/admin/slack', as: MIRA, ready: text('SLACK_BOT_TOKEN') },
  users: { path: '/admin/users', as: MIRA, ready: text('Noa Levi') },
  'users-menu': { path: '/admin/users', as: MIRA, ready: text('Noa Levi'), act: userMenu },
  'users-link': { path: '/admin/users', as: MIRA, ready: text('Noa Levi'), act: invite },
  system: { path: '/admin/system', as: MIRA, ready: heading('Rejected submissions') },
  intakes: { path: '/admin/intakes', as: MIRA, ready: text('Printers on all floors') },
  'intakes-guest': { path: '/admin/intakes' },
  'intake-gallery': { path: '/admin/intakes/new', as: MIRA, ready: heading('Webhook') },
  'intake-form': { path: '/admin/intakes/new?adapter=webhook&preset=github', as: MIRA },
  'intake-deliveries': { page: 'github', as: MIRA, ready: heading('Deliveries'), act: showDeliveries },
  'intake-mapping': { page: 'printers', query: '?tab=mapping', as: MIRA, act: showMapping },
  'guard-signed-out': { path: '/admin/system', ready: heading('Authentication Required') },
  'guard-key': { path: '/admin/system', as: 'key', ready: heading('Insufficient Authentication') },
  'guard-admin': { path: '/admin/system', as: 'new@example.com', ready: heading('Admin Access Required') },
  'api-docs': { path: '/api-docs' },
  'api-docs-try': { path: '/api-docs#createTask', as: MIRA, act: tryIt, addsTask: true },
  docs: { path: '/docs', ready: heading('Documentation') },
  'docs-page': { path: '/docs/concepts', ready: heading('Concepts') },
  'not-found': { path: '/no/such/page' },
};

async function rows(page) {
  await page.locator('article[data-task]').first().waitFor();
}
function heading(name) {
  return (page) => page.getByRole('heading', { name }).first().waitFor();
}
function text(content) {
  return (page) => page.getByText(content).first().waitFor();
}
function button(name) {
  return (page) => page.getByRole('button', { name }).first().waitFor();
}
async function toEnd(page) {
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await page.getByText('Last hour').waitFor();
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
}
async function select(page) {
  for (const key of ['j', 'x', 'j', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
}
async function offline(page) {
  // Without a network, what is not loaded yet cannot say so.
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await page.getByText(/^You are offline/).waitFor();
}
async function add(page) {
  await page.getByRole('button', { name: 'Add Item' }).first().click();
  await page.getByRole('textbox', { name: 'Message' }).fill('Order new filters for the air handling unit');
  await page.getByRole('textbox', { name: 'Tags' }).fill('building, before noon');
}
async function details(page) {
  await page.getByText('Heating in the reading room').first().click();
  await page.getByLabel('Details').waitFor();
}
async function tryIt(page) {
  const call = page.locator('#createTask');
  await call.getByRole('button', { name: 'Try it' }).click();
  await call.getByRole('button', { name: 'Send' }).click();
  await call.getByText('201 Created').waitFor();
  await call.evaluate((node) => node.scrollIntoView());
}
async function rowMenu(page) {
  const row = page.locator('article[data-task]').nth(2);
  await row.hover();
  await row.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Acknowledge' }).waitFor();
}
async function search(page) {
  await page.getByRole('combobox', { name: 'Search' }).fill('#');
  await page.getByRole('option').first().waitFor();
}
async function viewMenu(page) {
  await page.getByRole('button', { name: /^View:/ }).click();
  await page.getByRole('menu', { name: 'View' }).waitFor();
}
async function snooze(page) {
  await page.keyboard.press('j');
  await page.keyboard.press('h');
  await page.getByRole('dialog').getByText('Tomorrow morning').waitFor();
}
async function tags(page) {
  await select(page);
  await page.keyboard.press('t');
  await page.getByRole('dialog').waitFor();
}
function dialogBy(key) {
  return async (page) => {
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor();
  };
}
async function profile(page) {
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('menuitem', { name: 'View Profile' }).click();
  await page.getByRole('dialog').waitFor();
}
async function signIn(page) {
  await page.locator('header').getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('Google Sign-In is not configured').waitFor();
}
async function keyOptions(page) {
  await page
    .getByText(/^Read and write/)
    .first()
    .click();
  await page.getByRole('combobox', { name: 'Expires' }).selectOption('30');
}
async function userMenu(page) {
  await page.getByRole('button', { name: 'Actions for new@example.com' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).waitFor();
}
async function invite(page) {
  await page.getByRole('button', { name: 'Actions for new@example.com' }).click();
  await page.getByRole('menuitem', { name: 'New sign-in link' }).click();
  await page.getByRole('region', { name: 'Sign-in link' }).waitFor();
}
async function showDeliveries(page) {
  await page.getByRole('list', { name: 'Last deliveries' }).waitFor();
  await page.getByRole('tablist').evaluate((node) => scrollTo(0, node.getBoundingClientRect().top - 72));
}
async function showMapping(page) {
  const tabs = page.getByRole('tablist').first();
  await tabs.waitFor();
  await page.getByRole('textbox').first().waitFor();
  await tabs.evaluate((node) => scrollTo(0, node.getBoundingClientRect().top - 72));
}

async function openPage(browser, device, colorScheme, as, stored) {
  const context = await browser.newContext({
    ...device,
    colorScheme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  const entries = { ...stored[as], ...(as === 'done@example.com' ? { 'qinbox.used': 'yes' } : {}) };
  await context.addInitScript(`for (const [name, value] of ${JSON.stringify(Object.entries(entries))})
    localStorage.setItem(name, value);`);
  return context.newPage();
}

/** Takes the pictures of one width and theme; each person has one page, which goes from screen to screen. */
async function takeSome(browser, names, [size, device], theme, { stored, ...paths }) {
  const pages = new Map();
  for (const name of names) {
    const { path, page: of, query = '', as, elsewhere = false, ready, act } = SCREENS[name];
    const page = pages.get(as) ?? (await openPage(browser, device, theme, as, stored));
    pages.set(as, page);
    await page.goto((elsewhere ? ELSEWHERE_URL : SHOWN_URL) + (path ?? paths[of]) + query);
    await page.getByRole('heading').first().waitFor();
    if (as !== undefined) await waitUntilLive(page);
    await ready?.(page);
    await act?.(page);
    if (act !== offline) await page.waitForLoadState('networkidle');
    const picture = `${name}-${size}-${theme}`;
    const file = join(folder, `${picture}.png`);
    await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
    if (SHOWN.has(picture)) copyFileSync(file, join(root, 'docs', 'screens', `${picture}.png`));
    await page.context().setOffline(false);
    // Ends this screen's live connection and makes the next one a full page load.
    await page.goto('about:blank');
  }
  for (const page of pages.values()) await page.context().close();
}

if (!hasChromium) fail(WHY_NOT);
const asked = process.argv.slice(2);
const names = asked.length === 0 ? Object.keys(SCREENS) : asked;
const unknown = names.find((name) => !(name in SCREENS));
if (unknown !== undefined)
  fail(`there is no screen ${unknown}; there are ${Object.keys(SCREENS).join(', ')}`);
mkdirSync(folder, { recursive: true });
const data = temporaryFolder('screens');
const port = await freePort();
const browser = await launchBrowser([
  `--host-resolver-rules=MAP localhost:3000 127.0.0.1:${port},MAP qinbox.example 127.0.0.1:${port}`,
]);
try {
  const env = { PUBLIC_URL: SHOWN_URL, SMTP_PORT: String(await freePort()), SMTP_DOMAIN: 'in.example.com' };
  const day = await fillSampleDay(data.path, env);
  const program = await startProgram({ dataDir: data.path, port, env });
  try {
    // No other picture shows the tasks that are added for one.
    for (const last of [false, true]) {
      const some = names.filter((name) => (SCREENS[name].addsTask === true) === last);
      for (const device of Object.entries(DEVICES))
        await Promise.all(THEMES.map((theme) => takeSome(browser, some, device, theme, day)));
    }
  } finally {
    await program.stop();
  }
} finally {
  await browser.close();
  data.remove();
}
